// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What a namenode shows of itself over HTTP.
 *
 * <p>The server enters with its counters and a way to ask the engine; values leave through {@link
 * io.crail.status.Scrape}. {@link io.crail.namenode.status.NamenodeMetrics} names all of them.
 */
@NullMarked
package io.crail.namenode.status;

import org.jspecify.annotations.NullMarked;
