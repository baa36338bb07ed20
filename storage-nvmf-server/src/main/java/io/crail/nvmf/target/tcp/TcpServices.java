// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.admin.LogPages;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.target.status.TargetCounters;
import io.crail.nvmf.target.subsystem.Subsystem;
import java.util.function.LongSupplier;

/**
 * What all connections share.
 *
 * @param settings how the transport works
 * @param subsystem that is served
 * @param logPages of it
 * @param counters of the target
 * @param pool for data of commands
 * @param nanoTime clock of time-outs
 */
record TcpServices(
        TransportSettings settings,
        Subsystem subsystem,
        LogPages logPages,
        TargetCounters counters,
        DataPool pool,
        LongSupplier nanoTime) {
    /** Header, digests and padding of a PDU; more than they ever take. */
    private static final int MOST_OVERHEAD = 512;

    /** Length of the longest PDU of a host. */
    long maxPduBytes() {
        int capsule = Math.max(settings.inCapsuleBytes(), Intake.ADMIN_CAPSULE_BYTES);
        return MOST_OVERHEAD + (long) Math.max(settings.maxDataPduBytes(), capsule);
    }
}
