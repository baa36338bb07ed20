// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BlockTransfer;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.layout.FlashLayout;
import java.nio.ByteBuffer;
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

    /** Whether nothing was sent to the block before, and nothing can have overtaken this. */
    private boolean first;

    WriteJob(BlockTransfer.Write transfer, Consumer<FlashJob> atEnd) {
        super(transfer, atEnd);
        this.first = transfer.isFirst();
    }

    @Override
    void delayed() {
        first = false;
    }

    @Override
    void begin(FlashLink link) {
        OpenBlock open = link.openBlocks().use(block(), first && link.keepsOrder());
        int[] sums = transfer().checksums();
        int index = transfer().offset() / UNIT;
        RecordWriter.Carried record = null;
        if (sums.length > 0 && link.takesRecords(block(), firstCommand(link))) {
            record = open.record().carry(link.recordBlock(block()), index, sums);
        }
        if (sums.length > 0 && record == null) {
            addPart();
            open.record().put(link, index, sums, this::partEnded);
        }
        writeBytes(link, open, record);
        partEnded(null);
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
                        new SharedExtras(record, null),
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
