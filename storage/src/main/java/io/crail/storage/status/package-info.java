// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What a storage server shows of itself over HTTP.
 *
 * <p>The server enters with its tier; values leave through {@link io.crail.status.Scrape}. {@link
 * io.crail.storage.status.StorageMetrics} names all of them.
 */
@NullMarked
package io.crail.storage.status;

import org.jspecify.annotations.NullMarked;
