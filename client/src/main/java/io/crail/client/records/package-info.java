// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Streams in the client: appenders pack records into batches and commit them in order, readers
 * fetch runs ahead and take the records apart. All state belongs to a strand; only the public
 * classes of the parent package enter. Bytes go out through {@code data}, calls through {@code
 * rpc}.
 */
@NullMarked
package io.crail.client.records;

import org.jspecify.annotations.NullMarked;
