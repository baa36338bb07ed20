// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;
import io.crail.nvmf.fabric.FabricCommand;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transfer and the parts that it was cut into. It ends when all parts have ended, whatever became
 * of them; the first failure is its outcome.
 *
 * <p><b>The caller's buffer.</b> Commands use it in place. Copies to and from it are made under the
 * lock of the job, which a cancel takes, too, before it cuts the commands off: so when {@link
 * #cancel} has returned nothing touches the buffer, though commands may go on with memory of their
 * own.
 *
 * <p>Thread-safe.
 */
abstract class FlashJob {
    private final BlockTransfer transfer;
    private final Consumer<FlashJob> atEnd;

    /** Guarded by this, as are all that follow. */
    private final List<FabricCommand> lent = new ArrayList<>();

    private int parts = 1;
    private boolean over;
    private boolean cutOff;
    private @Nullable CrailException failure;
    private @Nullable Runnable atRest;

    /**
     * @param atEnd run before the transfer hears how it went; not after a cancel
     */
    FlashJob(BlockTransfer transfer, Consumer<FlashJob> atEnd) {
        this.transfer = transfer;
        this.atEnd = atEnd;
    }

    final BlockTransfer transfer() {
        return transfer;
    }

    final BlockReference block() {
        return transfer.block();
    }

    /** Bytes of the first command that moves whole units; 0 if none does. */
    final int firstCommand(FlashLink link) {
        int unit = FlashLayout.UNIT;
        int from = transfer.offset() + unit - 1 & -unit;
        int to = transfer.offset() + transfer.length() & -unit;
        return Math.max(0, Math.min(to - from, link.maxTransfer()));
    }

    /** A part of the caller's buffer; only for commands and under {@link #withBuffer}. */
    final ByteBuffer data(int from, int length) {
        ByteBuffer data = transfer.data();
        return data.slice(data.position() + from, length);
    }

    /** It waits before it begins, and others may begin before it. */
    void delayed() {}

    /** Begins all parts. */
    abstract void begin(FlashLink link);

    /** All parts have succeeded: tells the transfer. */
    abstract void succeeded();

    /** Runs an action when nothing of this job is under way any more, also if it was called off. */
    final synchronized void whenAtRest(Runnable action) {
        atRest = action;
    }

    /** One more part will end; only while another one has not. */
    final synchronized void addPart() {
        parts++;
    }

    /** Copies to or from the caller's buffer, unless that is not ours any more. */
    final synchronized boolean withBuffer(Runnable copy) {
        if (cutOff) {
            return false;
        }
        copy.run();
        return true;
    }

    /** A command is to use the caller's buffer; false: it must not. */
    final synchronized boolean lend(FabricCommand command) {
        if (cutOff) {
            return false;
        }
        lent.add(command);
        return true;
    }

    final void partEnded(@Nullable CrailException cause) {
        boolean first;
        Runnable rest;
        synchronized (this) {
            if (failure == null) {
                failure = cause;
            }
            parts--;
            if (parts > 0) {
                return;
            }
            rest = atRest;
            first = !over;
            over = true;
            cutOff = true;
            lent.clear();
        }
        if (rest != null) {
            rest.run();
        }
        if (!first) {
            return;
        }
        atEnd.accept(this);
        CrailException why = failure();
        if (why == null) {
            succeeded();
        } else {
            transfer.failed(why);
        }
    }

    private synchronized @Nullable CrailException failure() {
        return failure;
    }

    /** From now on nothing touches the caller's buffer, and nobody is called back. */
    final void cancel() {
        synchronized (this) {
            over = true;
        }
        cutOff();
    }

    /** Ends it before it began, or when nothing of it is under way any more. */
    final void fail(CrailException cause) {
        if (claim()) {
            cutOff();
            atEnd.accept(this);
            transfer.failed(cause);
        }
    }

    /** Whether the caller is the one who ends it. */
    private synchronized boolean claim() {
        boolean first = !over;
        over = true;
        return first;
    }

    private void cutOff() {
        List<FabricCommand> using;
        synchronized (this) {
            cutOff = true;
            using = List.copyOf(lent);
            lent.clear();
        }
        using.forEach(FabricCommand::detach);
    }
}
