// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BlockTransfer;
import io.crail.nvmf.initiator.queue.DataGiver;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.layout.FlashLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes and their checksums. Whole units are written from where they are; a unit that is written in
 * part is read, completed and written, one such change of a unit after the other; the checksums go
 * into the block's record, along with the bytes where that is possible. The transfer is complete
 * when all of that is.
 */
final class WriteJob extends FlashJob {
    private static final int UNIT = FlashLayout.UNIT;

    private final BlockTransfer.Write write;

    /** Whether nothing was sent to the block before, and nothing can have overtaken this. */
    private boolean first;

    WriteJob(BlockTransfer.Write transfer, Consumer<FlashJob> atEnd) {
        super(transfer, atEnd);
        this.write = transfer;
        this.first = transfer.isFirst();
    }

    @Override
    void delayed() {
        first = false;
    }

    @Override
    void begin(FlashLink link) {
        OpenBlock open = link.openBlocks().use(block(), first && link.keepsOrder());
        RecordWriter.Carried record = null;
        if (write.hasChecksums()) {
            record = carried(link, open);
            if (record == null) {
                addPart();
                open.record().put(link, firstChunk(), write.checksums(), this::partEnded);
            }
        }
        writeBytes(link, open, record);
        partEnded(null);
    }

    /** The record on its way with the first command, if it can go that way. */
    private RecordWriter.@Nullable Carried carried(FlashLink link, OpenBlock open) {
        int length = firstCommand(link);
        if (!link.takesRecords(block(), length)) {
            return null;
        }
        if (length < write.length()) {
            write.checksums(); // Not made on the way: that takes a copy of all bytes.
        }
        int chunks = (write.offset() % UNIT + write.length() + UNIT - 1) / UNIT;
        return open.record().carry(link.recordBlock(block()), firstChunk(), chunks, this::sums);
    }

    private int firstChunk() {
        return write.offset() / UNIT;
    }

    /** Made from the caller's buffer, unless that is not ours any more. */
    private int @Nullable [] sums() {
        AtomicReference<int @Nullable []> made = new AtomicReference<>();
        boolean unused = withBuffer(() -> made.set(write.checksums()));
        return made.get();
    }

    /** Of a transfer that is one command: its checksums are made on the way, behind the copy. */
    private @Nullable DataGiver giver(int length) {
        return length == write.length()
                ? (memory, at) -> {
                    boolean unused = withBuffer(() -> write.copyInto(memory, at));
                }
                : null;
    }

    @Override
    void succeeded() {
        transfer().completed(new int[0]);
    }

    private void writeBytes(FlashLink link, OpenBlock open, RecordWriter.@Nullable Carried record) {
        int from = transfer().offset();
        int to = from + transfer().length();
        int head = Math.min(to, (from + UNIT - 1) & -UNIT);
        int tail = Math.max(head, to & -UNIT);
        writePart(link, open, from, head);
        for (int at = head; at < tail; ) {
            int length = Math.min(tail - at, link.maxTransfer());
            addPart();
            ByteBuffer data = data(at - from, length);
            if (record != null && at == head) {
                link.write(
                        this,
                        at,
                        data,
                        new SharedExtras(record, giver(length), null),
                        cause -> record.ended(link, cause, this::partEnded));
            } else {
                link.write(this, at, data, SharedExtras.NONE, this::partEnded);
            }
            at += length;
        }
        writePart(link, open, tail, to);
    }

    private void writePart(FlashLink link, OpenBlock open, int from, int to) {
        if (from == to) {
            return;
        }
        int start = from & -UNIT;
        int length = to - from;
        int source = from - transfer().offset();
        addPart();
        open.edges()
                .change(
                        link,
                        start,
                        unit ->
                                withBuffer(
                                        () ->
                                                unit.put(
                                                        from - start,
                                                        data(source, length),
                                                        0,
                                                        length)),
                        this::partEnded);
    }
}
