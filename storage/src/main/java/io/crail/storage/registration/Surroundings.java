// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * What a registration takes from the machine it runs on; tests put others in its place.
 *
 * @param network makes selector and channels
 * @param nanoTime monotonic clock
 * @param threads makes the registration's thread
 */
public record Surroundings(SelectorProvider network, LongSupplier nanoTime, ThreadFactory threads) {
    /** The real machine. */
    public static final Surroundings SYSTEM =
            new Surroundings(SelectorProvider.provider(), System::nanoTime, Thread::new);
}
