// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import io.crail.nvmf.target.backing.MediumHook;
import java.util.function.LongSupplier;

/**
 * What a target takes from the world besides sockets and files.
 *
 * @param nanoTime clock of keep-alive and other time-outs of hosts, monotonic
 * @param hook faults of the media; {@link MediumHook#NONE} outside of tests
 */
public record TargetSurroundings(LongSupplier nanoTime, MediumHook hook) {
    /** The real ones. */
    public static final TargetSurroundings REAL =
            new TargetSurroundings(System::nanoTime, MediumHook.NONE);
}
