// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.EntryWords;
import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.NamespaceInfo;
import io.crail.nvmf.initiator.queue.SharedExtras;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** A namespace, by way of one connection. Thread-safe; nothing blocks. */
public interface FabricNamespace {
    /** What the controller said of it. */
    NamespaceInfo info();

    /**
     * A Read or Write that is one command, not begun.
     *
     * @param opcode READ or WRITE of {@link io.crail.nvmf.wire.command.IoOpcode}
     * @param data direct; whole logical blocks within the namespace, no more than {@link
     *     FabricConnection#maxTransferBytes}. Belongs to the command until its end
     * @param words adds to the submission entry
     * @param completion told the end, once, in any thread, with no lock held
     */
    FabricCommand command(
            int opcode,
            long firstBlock,
            ByteBuffer data,
            EntryWords words,
            IoCompletion completion);

    /**
     * As the other, with what is different where fabric and target share memory: elsewhere the
     * extras mean nothing.
     */
    default FabricCommand command(
            int opcode,
            long firstBlock,
            ByteBuffer data,
            EntryWords words,
            SharedExtras extras,
            IoCompletion completion) {
        return command(opcode, firstBlock, data, words, completion);
    }

    /**
     * Whether the rider of a command of this thread would go along, as far as can be told now.
     *
     * @param bytes of its data
     */
    default boolean takesRiders(long firstBlock, int bytes) {
        return false;
    }

    /** Makes lasting what was written, and answered, before. */
    void flush(IoCompletion completion);

    /** Whether {@link #deallocate} can be had: the controller has Dataset Management. */
    boolean canDeallocate();

    /**
     * Tells the target that what is in these blocks is of no use to anybody any more; reads of them
     * give what was there, or zeros, until they are written. Never repeated by itself: until the
     * end is told, and after it, too, if that says that the outcome is unknown, the target may
     * still do it, behind whatever is written meanwhile.
     *
     * @param ranges of logical blocks, 1 to {@link
     *     io.crail.nvmf.wire.command.DatasetCommand#MAX_RANGES}
     */
    void deallocate(List<BlockRange> ranges, IoCompletion completion);

    /** Reservations, if controller and namespace have them, and this fabric can ask for them. */
    Optional<FabricReservations> reservations();
}
