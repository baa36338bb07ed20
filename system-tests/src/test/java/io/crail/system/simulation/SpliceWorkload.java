// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the clients do with files by joining and cutting them. Two files of one client become one,
 * which is cut, continued, and read; then all clients join theirs to one of a few that they share.
 * Who had one of the files open reads what it was then.
 */
final class SpliceWorkload {
    /** A file begins with the number by which it is found in a joined one. */
    private static final int LABEL = 16;

    private static final int CONTINUED = 1_500;

    private final FileWorkload files;
    private final Journal journal;
    private final LongSupplier ids;
    private final List<JoinedFile> joined = new ArrayList<>();

    SpliceWorkload(FileWorkload files, Journal journal, LongSupplier ids) {
        this.files = files;
        this.journal = journal;
        this.ids = ids;
        for (int i = 0; i < Workload.TARGETS; i++) {
            joined.add(new JoinedFile());
        }
    }

    private static String joinedPath(int target) {
        return FileWorkload.DIRECTORY + "/joined" + target;
    }

    void splice(ClientHost host, Step step) {
        new Chain(host, step, ids.getAsLong(), ids.getAsLong()).begin();
    }

    void readJoined(ClientHost host, int target, boolean must) {
        String path = joinedPath(target);
        JoinedFile file = joined.get(target);
        List<Long> expected = file.acknowledged();
        journal.follow(
                "open " + path,
                host,
                host.client().openAsync(path),
                (open, cause) -> {
                    if (open != null) {
                        files.later(
                                host,
                                () ->
                                        files.read(
                                                host,
                                                open,
                                                must,
                                                bytes ->
                                                        file.check(bytes, expected)
                                                                .ifPresent(
                                                                        what -> told(path, what))));
                    } else if (cause != null && cause.code() == ErrorCode.NO_SUCH_NODE) {
                        if (!expected.isEmpty()) {
                            told(path, "is gone with what was joined to it");
                        }
                    } else if (must) {
                        told(path, "cannot be opened: " + cause);
                    }
                });
    }

    private void told(String path, String what) {
        journal.violation(path + ": " + what);
    }

    /** What one client does with two files of its own, one call after the other. */
    private final class Chain {
        private final ClientHost host;
        private final Step step;
        private final String path;
        private final String other;
        private final ByteBuffer otherBytes;

        /** What the first file is to hold after the last call that succeeded. */
        private ByteBuffer bytes;

        Chain(ClientHost host, Step step, long id, long otherId) {
            this.host = host;
            this.step = step;
            this.path = FileWorkload.DIRECTORY + "/spliced" + id;
            this.other = FileWorkload.DIRECTORY + "/spliced" + otherId;
            this.bytes = Content.labelled(id, 0, step.size());
            this.otherBytes = Content.labelled(otherId, 0, LABEL + step.size() / 2);
        }

        void begin() {
            make(path, bytes, () -> make(other, otherBytes, this::open));
        }

        private void make(String name, ByteBuffer content, Runnable next) {
            follow(
                    "create " + name,
                    host.client().createFileAsync(name, CreateOptions.DEFAULT),
                    (stream, cause) -> {
                        mustNotBe(ErrorCode.NODE_EXISTS, cause, name + " was created twice");
                        if (stream != null) {
                            then(() -> write(name, stream, content, next));
                        }
                    });
        }

        private void write(
                String name, CrailOutputStream stream, ByteBuffer content, Runnable next) {
            follow(
                    "write " + name,
                    stream.appendAsync(content.duplicate()),
                    (written, cause) -> {
                        if (cause == null) {
                            then(() -> close(name, stream, next));
                        }
                    });
        }

        private void close(String name, CrailOutputStream stream, Runnable next) {
            follow(
                    "close " + name,
                    stream.closeAsync(),
                    (closed, cause) -> {
                        if (cause == null) {
                            then(next);
                        }
                    });
        }

        /** Somebody who reads the second file as it is now, whatever becomes of it. */
        private void open() {
            follow(
                    "open " + other,
                    host.client().openAsync(other),
                    (file, cause) -> {
                        if (file != null) {
                            files.laterBy(step.pauseNanos() + 1, host, () -> join(file));
                        }
                    });
        }

        private void join(CrailFile reader) {
            int length = bytes.remaining() + otherBytes.remaining();
            follow(
                    "join " + other + " to " + path,
                    host.client().concatAsync(path, List.of(other)),
                    (status, cause) -> {
                        mustNotBe(ErrorCode.NO_SUCH_NODE, cause, other + " was joined twice");
                        if (status == null) {
                            reader.close();
                            return;
                        }
                        expectLength(status.length(), length, "joined");
                        bytes =
                                ByteBuffer.allocateDirect(length)
                                        .put(bytes.duplicate())
                                        .put(otherBytes.duplicate())
                                        .flip();
                        then(() -> cut(reader));
                    });
        }

        private void cut(CrailFile reader) {
            int length = LABEL + (bytes.remaining() - LABEL) / 6 * step.pieces();
            follow(
                    "cut " + path + " to " + length,
                    host.client().truncateAsync(path, length),
                    (status, cause) -> {
                        mustNotBe(ErrorCode.OFFSET_OUT_OF_RANGE, cause, path + " is too short");
                        if (status == null) {
                            reader.close();
                            return;
                        }
                        expectLength(status.length(), length, "cut");
                        bytes = bytes.slice(0, length);
                        then(() -> readOld(reader));
                    });
        }

        private void readOld(CrailFile reader) {
            files.read(host, reader, false, seen -> expect(other, seen, otherBytes));
            then(this::goOn);
        }

        /** Bytes that were cut off must not show behind new ones, or instead of them. */
        private void goOn() {
            ByteBuffer more = Content.of(ids.getAsLong(), 0, CONTINUED);
            follow(
                    "append to " + path,
                    host.client().appendAsync(path),
                    (stream, cause) -> {
                        if (stream != null) {
                            expectLength(stream.position(), bytes.remaining(), "open to append");
                            bytes =
                                    ByteBuffer.allocateDirect(bytes.remaining() + CONTINUED)
                                            .put(bytes.duplicate())
                                            .put(more.duplicate())
                                            .flip();
                            then(() -> write(path, stream, more, this::readAll));
                        }
                    });
        }

        private void readAll() {
            follow(
                    "open " + path,
                    host.client().openAsync(path),
                    (file, cause) -> {
                        if (file != null) {
                            then(
                                    () ->
                                            files.read(
                                                    host,
                                                    file,
                                                    false,
                                                    seen -> expect(path, seen, bytes)));
                        }
                        then(this::share);
                    });
        }

        private void share() {
            String target = joinedPath(step.target());
            follow(
                    "make " + target,
                    host.client().createFileAsync(target, CreateOptions.DEFAULT),
                    (stream, cause) -> {
                        if (stream != null) {
                            then(() -> close(target, stream, this::joinShared));
                        } else if (cause != null && cause.code() == ErrorCode.NODE_EXISTS) {
                            then(this::joinShared);
                        }
                    });
        }

        private void joinShared() {
            JoinedFile file = joined.get(step.target());
            long piece = file.begin(bytes);
            follow(
                    "join " + path + " to " + joinedPath(step.target()),
                    host.client().concatAsync(joinedPath(step.target()), List.of(path)),
                    (status, cause) -> {
                        mustNotBe(ErrorCode.NO_SUCH_NODE, cause, path + " was joined twice");
                        if (status != null) {
                            file.acknowledge(piece);
                        }
                    });
        }

        private void expect(String name, ByteBuffer seen, ByteBuffer expected) {
            if (!seen.equals(expected)) {
                told(
                        name,
                        "holds "
                                + seen.remaining()
                                + " bytes, equal up to "
                                + seen.mismatch(expected)
                                + " of "
                                + expected.remaining());
            }
        }

        private void expectLength(long length, long expected, String when) {
            if (length != expected) {
                told(path, "has " + length + " bytes when " + when + ", not " + expected);
            }
        }

        private void mustNotBe(ErrorCode code, @Nullable CrailException cause, String what) {
            if (cause != null && cause.code() == code) {
                journal.violation(what + ": " + cause);
            }
        }

        private <T> void follow(
                String what,
                java.util.concurrent.CompletableFuture<T> future,
                Journal.Answer<T> answer) {
            journal.follow(what, host, future, answer);
        }

        private void then(Runnable next) {
            files.later(host, next);
        }
    }
}
