// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.ExtentReader;
import io.crail.client.engine.Operation;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Extent;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.checksum.JoinedChecksum;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Computes the CRC32C of a range of a node. Where the node keeps checksums, those of whole chunks
 * are fetched, and that of the last, partial chunk of an extent is known with the extent; only a
 * chunk that the range cuts is read. Where it keeps none, all bytes are.
 *
 * <p>Pieces come in any order, a bounded number at a time, and are joined as soon as those before
 * them are there. Everything runs on the operation's strand.
 */
final class RangeChecksum implements RangeRead.Piecewise {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    private final Operation operation;
    private final ExtentReader reader;
    private final String path;
    private final boolean checksums;
    private final JoinedChecksum joined = new JoinedChecksum();

    /** Pieces by where they begin, from the start of the range. */
    private final Map<Long, JoinedChecksum> early = new HashMap<>();

    private final long start;

    /**
     * @param checksums whether the node keeps checksums
     * @param start first byte of the range
     */
    RangeChecksum(
            Operation operation, ExtentReader reader, String path, boolean checksums, long start) {
        this.operation = operation;
        this.reader = reader;
        this.path = path;
        this.checksums = checksums;
        this.start = start;
    }

    /** The checksum of the range, when all pieces have been read. */
    int value() {
        assert early.isEmpty();
        return joined.value();
    }

    @Override
    public CompletableFuture<Void> read(Extent extent, long from, int length) {
        int within = (int) (from - extent.offset());
        return piece(extent, within, within + length)
                .thenAccept(piece -> take(from - start, piece));
    }

    private void take(long at, JoinedChecksum piece) {
        early.put(at, piece);
        for (JoinedChecksum next = early.remove(joined.length());
                next != null;
                next = early.remove(joined.length())) {
            joined.append(next.value(), next.length());
        }
    }

    private CompletableFuture<JoinedChecksum> piece(Extent extent, int from, int to) {
        int head = checksums ? Math.min(to, (from + CHUNK - 1) & -CHUNK) : to;
        int tail = Math.max(head, to & -CHUNK);
        JoinedChecksum piece = new JoinedChecksum();
        return bytes(extent, from, head, piece)
                .thenCompose(done -> stored(extent, head, tail, piece))
                .thenCompose(done -> tail(extent, tail, to, piece))
                .thenApply(done -> piece);
    }

    private CompletableFuture<Void> stored(Extent extent, int from, int to, JoinedChecksum piece) {
        if (from == to) {
            return CompletableFuture.completedFuture(null);
        }
        return reader.checksums(operation, path, extent, from, to - from)
                .thenAccept(
                        sums -> {
                            for (int crc : sums) {
                                piece.append(crc, CHUNK);
                            }
                        });
    }

    /**
     * The stored checksum of the last chunk is for its writer only: it may have gone on there. That
     * of the extent is known already. It is told later nevertheless, as everything else is: many
     * short extents in a row would be so many calls deep.
     */
    private CompletableFuture<Void> tail(Extent extent, int from, int to, JoinedChecksum piece) {
        if (from == to || to < extent.length() || ExtentReader.isLost(extent)) {
            return bytes(extent, from, to, piece);
        }
        return CompletableFuture.runAsync(
                () -> piece.append(extent.tailCrc(), to - from), operation.strand());
    }

    private CompletableFuture<Void> bytes(Extent extent, int from, int to, JoinedChecksum piece) {
        int length = to - from;
        if (length == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return reader.borrow(operation, path, extent, from, length, checksums)
                .thenCompose(
                        found -> {
                            if (found.isEmpty()) {
                                return copy(extent, from, length, piece);
                            }
                            ExtentReader.Borrowed borrowed = found.get();
                            piece.append(ChunkChecksum.crc(borrowed.bytes(), 0, length), length);
                            borrowed.loan().close();
                            return CompletableFuture.completedFuture(null);
                        });
    }

    private CompletableFuture<Void> copy(
            Extent extent, int from, int length, JoinedChecksum piece) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        return reader.read(operation, path, extent, from, bytes, checksums)
                .thenRun(() -> piece.append(ChunkChecksum.crc(bytes, 0, length), length));
    }
}
