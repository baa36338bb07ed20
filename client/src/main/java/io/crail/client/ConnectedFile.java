// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.client.file.FileReader;
import io.crail.client.file.StreamReader;
import io.crail.client.view.HeldBlocks;
import io.crail.error.CrailException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.protocol.message.NodeStatus;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An open file of a connected client. */
final class ConnectedFile implements CrailFile {
    private final ClientCore core;
    private final Caller caller;
    private final FileReader reader;
    private final String what;
    private final String viewing;

    ConnectedFile(ClientCore core, Caller caller, FileReader reader) {
        this.core = core;
        this.caller = caller;
        this.reader = reader;
        this.what = "read " + reader.path();
        this.viewing = "view " + reader.path();
    }

    @Override
    public String path() {
        return reader.path();
    }

    @Override
    public NodeStatus status() {
        return reader.status();
    }

    @Override
    public long length() {
        return reader.length();
    }

    @Override
    public int read(long position, ByteBuffer target) throws CrailException {
        int read = caller.call(what, op -> reader.read(op, position, target));
        if (read > 0) {
            target.position(target.position() + read);
        }
        return read;
    }

    @Override
    public CrailFuture<Integer> readAsync(long position, ByteBuffer target) {
        return caller.begin(
                what,
                op ->
                        reader.read(op, position, target)
                                .thenApply(
                                        read -> {
                                            if (read > 0) {
                                                target.position(target.position() + read);
                                            }
                                            return read;
                                        }));
    }

    @Override
    public void readFully(long position, ByteBuffer target) throws IOException {
        readVectored(List.of(new Range(position, target)));
    }

    @Override
    public void readVectored(List<Range> ranges) throws IOException {
        checkEnd(ranges);
        caller.call(what, op -> readAll(op, ranges));
    }

    private void checkEnd(List<Range> ranges) throws EOFException {
        for (Range range : ranges) {
            long end = range.position() + range.target().remaining();
            if (end > reader.length()) {
                throw new EOFException(
                        reader.path()
                                + " has "
                                + reader.length()
                                + " bytes, the read wants "
                                + end);
            }
        }
    }

    @Override
    public CrailFuture<Void> readVectoredAsync(List<Range> ranges) {
        List<Range> copy = List.copyOf(ranges);
        return caller.begin(
                what,
                op -> {
                    try {
                        checkEnd(copy);
                    } catch (EOFException e) {
                        throw new OffsetOutOfRangeException(String.valueOf(e.getMessage()), e);
                    }
                    return readAll(op, copy);
                });
    }

    private CompletableFuture<Void> readAll(Operation operation, List<Range> ranges) {
        CompletableFuture<?>[] parts = new CompletableFuture<?>[ranges.size()];
        for (int i = 0; i < parts.length; i++) {
            Range range = ranges.get(i);
            parts[i] = reader.read(operation, range.position(), range.target());
        }
        return CompletableFuture.allOf(parts)
                .thenRun(
                        () -> {
                            for (Range range : ranges) {
                                range.target().position(range.target().limit());
                            }
                        });
    }

    @Override
    public CrailView view(long position, long length, boolean verify) throws CrailException {
        return core.view(
                viewing,
                caller.call(
                        viewing, op -> reader.view(op, core.views(), position, length, verify)));
    }

    @Override
    public CrailFuture<CrailView> viewAsync(long position, ByteBuffer spare) {
        return caller.begin(
                viewing,
                op ->
                        reader.view(op, core.views(), position, spare)
                                .thenApply(held -> core.view(viewing, held)));
    }

    @Override
    public Optional<CrailView> tryView(long position, long length) {
        HeldBlocks held = reader.viewNow(core.engine().counters(), core.views(), position, length);
        return held == null ? Optional.empty() : Optional.of(core.view(viewing, held));
    }

    @Override
    public long checksum(long length) throws CrailException {
        return caller.call(
                "checksum " + path(),
                op -> reader.checksum(op, length).thenApply(Integer::toUnsignedLong));
    }

    @Override
    public CrailFuture<Long> checksumAsync(long length) {
        return caller.begin(
                "checksum " + path(),
                op -> reader.checksum(op, length).thenApply(Integer::toUnsignedLong));
    }

    @Override
    public CrailInputStream newInputStream() {
        return new ConnectedInputStream(
                core.engine(),
                new StreamReader(
                        core.engine(),
                        core.engine().newStrand(),
                        reader,
                        core.config().readAheadBlocks(),
                        caller.timeoutNanos()));
    }

    @Override
    public NodeStatus refresh() throws CrailException {
        return caller.call("refresh " + path(), reader::refresh);
    }

    @Override
    public CrailFuture<NodeStatus> refreshAsync() {
        return caller.begin("refresh " + path(), reader::refresh);
    }

    @Override
    public NodeStatus awaitLength(long known, Duration atMost) throws CrailException {
        return caller.withTimeout(caller.timeoutNanos() + atMost.toNanos())
                .call(
                        "wait for " + path() + " to grow",
                        op -> reader.awaitLength(op, known, atMost));
    }

    @Override
    public CrailFuture<NodeStatus> awaitLengthAsync(long known, Duration atMost) {
        return caller.withTimeout(caller.timeoutNanos() + atMost.toNanos())
                .begin(
                        "wait for " + path() + " to grow",
                        op -> reader.awaitLength(op, known, atMost));
    }

    @Override
    public long bytesOnThisHost(long position, long length) {
        return reader.bytesAt(position, length, core::isLocal);
    }

    @Override
    public long bytesReadOnThisHost(long position, long length) {
        return reader.bytesAt(position, length, core::lendsReads);
    }

    @Override
    public List<BlockLocation> locations() throws CrailException {
        Locations locations = new Locations(core);
        return caller.call(
                "locate " + path(),
                op -> reader.allExtents(op).thenCompose(extents -> locations.of(op, extents)));
    }

    @Override
    public CrailFile withDeadline(Duration deadline) {
        return new ConnectedFile(core, caller.withTimeout(deadline.toNanos()), reader);
    }

    @Override
    public void close() {
        reader.close();
    }
}
