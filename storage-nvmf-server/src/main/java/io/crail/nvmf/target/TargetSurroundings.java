// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.target.fence.CommandGuard;
import io.crail.nvmf.target.subsystem.HostAdmission;
import java.util.function.LongSupplier;

/**
 * What a target takes from the world besides sockets and files.
 *
 * @param nanoTime clock of keep-alive and other time-outs of hosts, monotonic
 * @param hook faults of the media; {@link MediumHook#NONE} outside of tests
 * @param guard of all namespaces
 * @param admission of hosts, besides the list of the configuration
 */
public record TargetSurroundings(
        LongSupplier nanoTime, MediumHook hook, CommandGuard guard, HostAdmission admission) {
    /** The real ones. */
    public static final TargetSurroundings REAL =
            new TargetSurroundings(System::nanoTime, MediumHook.NONE);

    /** Without a guard, and with no other admission than the list. */
    public TargetSurroundings(LongSupplier nanoTime, MediumHook hook) {
        this(nanoTime, hook, CommandGuard.NONE, HostAdmission.ALL);
    }
}
