// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Extent;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Truncate;
import io.crail.protocol.node.NodeType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Cuts a file. Where the new end lies within a chunk, that chunk needs another checksum: its bytes
 * are read, verified, and the namenode cuts the file only if it is still the one that was read. If
 * it is not, all begins anew. On the operation's strand.
 */
final class Truncation {
    /** More often no file changes between two messages, as nobody writes it meanwhile. */
    private static final int ATTEMPTS = 10;

    /** The file, or the block, is another one by now. */
    private static final Set<ErrorCode> CHANGED =
            Set.of(ErrorCode.CONDITION_FAILED, ErrorCode.STALE_REFERENCE);

    private final ClientCore core;
    private final Operation operation;
    private final String path;
    private final byte[] name;
    private final long length;

    Truncation(ClientCore core, Operation operation, String path, long length)
            throws CrailException {
        this.core = core;
        this.operation = operation;
        this.path = path;
        this.name = Namespace.path(path);
        this.length = length;
    }

    /** What the namenode is to be told of a version of the file. */
    private record Cut(long version, int tailCrc) {}

    CompletableFuture<NodeStatus> start() {
        return attempt(1);
    }

    private CompletableFuture<NodeStatus> attempt(int number) {
        return Namespace.call(
                        core,
                        operation,
                        new Lookup.Request(name, Lookup.EXTENTS),
                        Lookup.Reply::decode)
                .thenCompose(found -> cut(found.status(), found.extents()))
                .thenCompose(this::send)
                .exceptionallyCompose(failure -> again(failure, number));
    }

    private CompletableFuture<NodeStatus> again(Throwable failure, int number) {
        CrailException cause = Outcomes.cause(failure);
        if (!CHANGED.contains(cause.code())) {
            return CompletableFuture.failedFuture(cause);
        }
        return number < ATTEMPTS
                ? attempt(number + 1)
                : CompletableFuture.failedFuture(
                        new BusyException(
                                operation.what()
                                        + ": the file has changed between two looks "
                                        + number
                                        + " times; try again when nobody writes it",
                                cause));
    }

    private CompletableFuture<NodeStatus> send(Cut cut) {
        return Namespace.call(
                core,
                operation,
                new Truncate.Request(name, length, cut.tailCrc, cut.version),
                control -> Truncate.Reply.decode(control).status());
    }

    private CompletableFuture<Cut> cut(NodeStatus status, List<Extent> known) {
        boolean checked = status.type() == NodeType.FILE && status.has(NodeStatus.CHECKSUMS);
        if (!checked || length == 0 || length >= status.length()) {
            return whole(status);
        }
        for (Extent extent : known) {
            if (extent.offset() < length && length <= extent.end()) {
                return cut(status, extent);
            }
        }
        return Namespace.call(
                        core,
                        operation,
                        new GetExtents.Request(status.id(), 0, length - 1, 1),
                        GetExtents.Reply::decode)
                .thenCompose(
                        page ->
                                page.extents().isEmpty() // Shorter by now: the version tells.
                                        ? whole(status)
                                        : cut(page.status(), page.extents().get(0)));
    }

    private static CompletableFuture<Cut> whole(NodeStatus status) {
        return CompletableFuture.completedFuture(new Cut(status.version(), 0));
    }

    private CompletableFuture<Cut> cut(NodeStatus status, Extent extent) {
        int used = (int) (length - extent.offset());
        int start = used & -BlockGeometry.CHUNK_SIZE;
        if (used == extent.length() || used == start) {
            return whole(status);
        }
        ByteBuffer chunk = ByteBuffer.allocate(used - start);
        return core.reader()
                .read(operation, path, extent, start, chunk, true)
                .thenApply(
                        read ->
                                new Cut(
                                        status.version(),
                                        ChunkChecksum.crc(chunk, 0, chunk.capacity())));
    }
}
