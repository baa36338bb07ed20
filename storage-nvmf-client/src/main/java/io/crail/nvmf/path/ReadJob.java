// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;
import io.crail.nvmf.initiator.queue.DataTaker;
import io.crail.nvmf.initiator.queue.Rider;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.protocol.block.BlockGeometry;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes, stored checksums, or both. Whole units are read to where they belong; what is asked for of
 * a unit in part comes by way of a unit of the path; the record is read with them or beside them,
 * unless it is known.
 */
final class ReadJob extends FlashJob {
    private static final int UNIT = FlashLayout.UNIT;
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    private final boolean wantsBytes;

    /** Parts of the bytes that have not arrived, and one while they are begun. */
    private final AtomicInteger missing = new AtomicInteger(1);

    /** Written by one part, read when all have ended, with the job's lock in between. */
    private int[] sums = {};

    ReadJob(BlockTransfer transfer, Consumer<FlashJob> atEnd) {
        super(transfer, atEnd);
        this.wantsBytes = !(transfer instanceof BlockTransfer.Sums);
    }

    @Override
    void begin(FlashLink link) {
        boolean unknown = transfer().wantsChecksums() && !findSums(link);
        int first = wantsBytes ? firstCommand(link) : 0;
        RecordRider along =
                unknown && link.takesRecords(block(), first) ? new RecordRider(link) : null;
        if (unknown && along == null) {
            readSums(link);
        }
        if (wantsBytes) {
            readBytes(link, along);
            arrived(link, null);
        }
        partEnded(null);
    }

    @Override
    void succeeded() {
        transfer().completed(sums);
    }

    /** Whether the stored checksums are known. */
    private boolean findSums(FlashLink link) {
        int[] known = link.records().find(block(), transfer().offset(), transfer().length());
        if (known == null) {
            return false;
        }
        sums = known;
        return true;
    }

    private void readSums(FlashLink link) {
        addPart();
        link.readUnit(
                block(),
                link.layout().recordOffset(block().record()),
                unit -> takeSums(link, unit, 0),
                this::partEnded);
    }

    /** The record has arrived. */
    private void takeSums(FlashLink link, ByteBuffer memory, int at) {
        int offset = transfer().offset();
        int length = transfer().length();
        int[] all = new int[block().length() / CHUNK];
        for (int i = 0; i < all.length; i++) {
            all[i] = LittleEndian.i32(memory, at + 4 * i);
        }
        link.records().add(block(), offset, length, all);
        int[] asked = new int[(length + CHUNK - 1) / CHUNK];
        System.arraycopy(all, offset / CHUNK, asked, 0, asked.length);
        sums = asked;
    }

    /** The record of the block, on its way with the first bytes. */
    private final class RecordRider implements Rider {
        private final FlashLink link;
        private volatile boolean taken;

        RecordRider(FlashLink link) {
            this.link = link;
        }

        @Override
        public long firstBlock() {
            return link.recordBlock(block());
        }

        @Override
        public void put(ByteBuffer memory, int at) {
            throw new IllegalStateException("a record that is read was written");
        }

        @Override
        public void take(ByteBuffer memory, int at) {
            takeSums(link, memory, at);
            taken = true;
        }

        /** The command has ended. If the record stayed behind, it is read by itself. */
        void ended(@Nullable CrailException cause) {
            if (cause == null && !taken) {
                readSums(link);
            }
        }
    }

    /**
     * A part of the bytes arrived. Nothing but the counter tells, once all have, whether they are
     * of the right generation, if there are no checksums and no guard: data first, counter second.
     */
    private void arrived(FlashLink link, @Nullable CrailException cause) {
        if (missing.decrementAndGet() == 0 && cause == null && !transfer().wantsChecksums()) {
            addPart();
            link.recheck(block(), this::partEnded);
        }
    }

    /** One more part of the bytes. */
    private Consumer<@Nullable CrailException> part(FlashLink link) {
        addPart();
        missing.incrementAndGet();
        return cause -> {
            arrived(link, cause);
            partEnded(cause);
        };
    }

    private void readBytes(FlashLink link, @Nullable RecordRider along) {
        int from = transfer().offset();
        int to = from + transfer().length();
        int head = Math.min(to, (from + UNIT - 1) & -UNIT);
        int tail = Math.max(head, to & -UNIT);
        readPart(link, from, head);
        for (int at = head; at < tail; ) {
            int length = Math.min(tail - at, link.maxTransfer());
            Consumer<@Nullable CrailException> ended = part(link);
            ByteBuffer data = data(at - from, length);
            DataTaker taker = length == transfer().length() ? taker() : null;
            if (along != null && at == head) {
                link.read(
                        this,
                        at,
                        data,
                        new SharedExtras(along, null, taker),
                        cause -> {
                            along.ended(cause);
                            ended.accept(cause);
                        });
            } else {
                link.read(this, at, data, new SharedExtras(null, null, taker), ended);
            }
            at += length;
        }
        readPart(link, tail, to);
    }

    /** Of a transfer that is one command. */
    private @Nullable DataTaker taker() {
        return transfer() instanceof BlockTransfer.Read read ? new LoanTaker(this, read) : null;
    }

    /** Reads a part of one unit. */
    private void readPart(FlashLink link, int from, int to) {
        if (from == to) {
            return;
        }
        int start = from & -UNIT;
        link.readUnit(
                block(),
                link.layout().dataOffset(block().record()) + start,
                unit -> withBuffer(() -> copy(unit, from - start, from, to - from)),
                part(link));
    }

    private void copy(ByteBuffer unit, int skew, int from, int length) {
        data(from - transfer().offset(), length).put(0, unit, skew, length);
    }
}
