// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BlockTransfer;
import io.crail.nvmf.layout.FlashLayout;
import java.util.function.Consumer;

/**
 * Bytes and their checksums. Whole units are written from where they are; a unit that is written in
 * part is read, completed and written, one such change of a unit after the other; the checksums go
 * into the block's record. The transfer is complete when all of that is.
 */
final class WriteJob extends FlashJob {
    private static final int UNIT = FlashLayout.UNIT;

    WriteJob(BlockTransfer transfer, Consumer<FlashJob> atEnd) {
        super(transfer, atEnd);
    }

    @Override
    void begin(FlashLink link) {
        OpenBlock open = link.openBlocks().use(block());
        int[] sums = transfer().checksums();
        if (sums.length > 0) {
            addPart();
            open.record().put(link, transfer().offset() / UNIT, sums, this::partEnded);
        }
        writeBytes(link, open);
        partEnded(null);
    }

    @Override
    void succeeded() {
        transfer().completed(new int[0]);
    }

    private void writeBytes(FlashLink link, OpenBlock open) {
        int from = transfer().offset();
        int to = from + transfer().length();
        int head = Math.min(to, (from + UNIT - 1) & -UNIT);
        int tail = Math.max(head, to & -UNIT);
        writePart(link, open, from, head);
        for (int at = head; at < tail; ) {
            int length = Math.min(tail - at, link.maxTransfer());
            addPart();
            link.write(this, at, data(at - from, length), this::partEnded);
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
