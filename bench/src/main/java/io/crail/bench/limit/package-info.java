// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What the machine can do without crail: sockets and memory, with the Java library alone.
 *
 * <p>Rows enter by {@link io.crail.bench.limit.Peer}, another process that plays the other side of
 * a socket as a server would, and by {@link io.crail.bench.limit.MemoryCopy}. Each limit is one
 * class.
 */
@NullMarked
package io.crail.bench.limit;

import org.jspecify.annotations.NullMarked;
