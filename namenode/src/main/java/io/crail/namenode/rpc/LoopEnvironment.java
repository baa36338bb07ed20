// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.nio.channels.spi.SelectorProvider;
import java.util.function.LongSupplier;

/**
 * What a server's loop takes from the machine it runs on; tests put others in its place.
 *
 * @param network makes selectors and channels
 * @param nanoTime monotonic clock by which connections are timed and work is cut into slices
 */
public record LoopEnvironment(SelectorProvider network, LongSupplier nanoTime) {
    /** The real machine. */
    public static final LoopEnvironment SYSTEM =
            new LoopEnvironment(SelectorProvider.provider(), System::nanoTime);
}
