// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.admin.LogPages;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.target.shared.QueueMemory;
import io.crail.nvmf.target.shared.SharedMemory;
import io.crail.nvmf.target.status.TargetCounters;
import io.crail.nvmf.target.subsystem.Subsystem;
import java.nio.channels.SocketChannel;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all connections share.
 *
 * @param settings how the transport works
 * @param subsystem that is served
 * @param logPages of it
 * @param counters of the target
 * @param pool for data of commands
 * @param shared memory for hosts of this machine; null if none is shared
 * @param listener where hosts connect
 * @param nanoTime clock of time-outs
 */
record TcpServices(
        TransportSettings settings,
        Subsystem subsystem,
        LogPages logPages,
        TargetCounters counters,
        DataPool pool,
        @Nullable SharedMemory shared,
        Listener listener,
        LongSupplier nanoTime) {
    /** Header, digests and padding of a PDU; more than they ever take. */
    private static final int MOST_OVERHEAD = 512;

    /** Largest commands that find room in the memory that a queue shares with its host. */
    private static final int SHARED_COMMANDS = 16;

    /**
     * What memory the queue of a connection may share with its host, if that is on this machine.
     */
    QueueMemory sharedWith(SocketChannel channel) {
        return shared != null && Listener.isLocal(channel)
                ? new QueueMemory(shared, SHARED_COMMANDS * subsystem.settings().maxTransferBytes())
                : QueueMemory.NONE;
    }

    /** Length of the longest PDU of a host. */
    long maxPduBytes() {
        int capsule = Math.max(settings.inCapsuleBytes(), Intake.ADMIN_CAPSULE_BYTES);
        return MOST_OVERHEAD + (long) Math.max(settings.maxDataPduBytes(), capsule);
    }
}
