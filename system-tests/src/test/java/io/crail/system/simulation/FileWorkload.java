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
 * What the clients do with files: some are replaced and deleted, others only appended to, by one
 * writer after the other.
 */
final class FileWorkload {
    static final String DIRECTORY = "/files";

    private final Cluster cluster;
    private final Journal journal;
    private final Timeline timeline;
    private final LongSupplier ids;
    private final List<AppendedFile> appended = new ArrayList<>();

    FileWorkload(Cluster cluster, Journal journal, LongSupplier ids) {
        this.cluster = cluster;
        this.journal = journal;
        this.timeline = cluster.timeline();
        this.ids = ids;
    }

    void prepare(ClientHost host) {
        journal.follow(
                "make " + DIRECTORY,
                host,
                host.client().mkdirAsync(DIRECTORY, CreateOptions.DEFAULT),
                (made, cause) -> later(host, () -> prepareFiles(host)));
    }

    private void prepareFiles(ClientHost host) {
        for (int i = 0; i < Workload.TARGETS; i++) {
            appended.add(new AppendedFile());
            journal.follow(
                    "make " + appendedPath(i),
                    host,
                    host.client().createFileAsync(appendedPath(i), CreateOptions.DEFAULT),
                    (stream, cause) -> {
                        if (stream != null) {
                            journal.follow("close", host, stream.closeAsync(), (v, c) -> {});
                        }
                    });
        }
    }

    private static String appendedPath(int target) {
        return DIRECTORY + "/appended" + target;
    }

    private static String replacedPath(int target) {
        return DIRECTORY + "/replaced" + target;
    }

    void perform(ClientHost host, Step step) {
        switch (step.kind()) {
            case REPLACE -> replace(host, step);
            case READ_REPLACED -> readReplaced(host, step.target(), false);
            case DELETE -> delete(host, step.target());
            case APPEND -> append(host, step);
            case READ_APPENDED -> readAppended(host, step.target(), false);
            default -> throw new AssertionError(step.kind());
        }
    }

    private void replace(ClientHost host, Step step) {
        String path = replacedPath(step.target());
        long id = ids.getAsLong();
        long begun = timeline.now();
        Register.Write write = journal.register(path).begin(id, begun);
        journal.follow(
                "create " + path + " as " + id,
                host,
                host.client().createFileAsync(path, CreateOptions.OVERWRITE),
                (stream, cause) -> {
                    if (stream != null) {
                        write.applied(timeline.now());
                        Stream writing = new Stream(host, stream, step, id, 0, true, null);
                        later(host, () -> writing.proceed(0));
                    } else if (cause != null && Workload.NOTHING_DONE.contains(cause.code())) {
                        write.failed();
                    } else {
                        // It may replace what is there after nobody waits for it any more; then it
                        // is given up, and nothing is left (seed 330).
                        Register.Write unused =
                                journal.register(path).begin(Register.ABSENT, begun);
                    }
                });
    }

    private void append(ClientHost host, Step step) {
        String path = appendedPath(step.target());
        AppendedFile file = appended.get(step.target());
        long id = ids.getAsLong();
        journal.follow(
                "append " + id + " to " + path,
                host,
                host.client().appendAsync(path),
                (stream, cause) -> {
                    if (stream != null) {
                        long from = stream.position();
                        file.opened(id, from);
                        if (from < file.acknowledged()) {
                            journal.violation(
                                    path
                                            + ": a writer begins at "
                                            + from
                                            + ", but "
                                            + file.acknowledged()
                                            + " bytes were acknowledged");
                        }
                        Stream writing = new Stream(host, stream, step, id, from, false, file);
                        later(host, () -> writing.proceed(0));
                    }
                });
    }

    /** A stream that is being written, piece by piece, each of them committed. */
    private final class Stream {
        private final ClientHost host;
        private final CrailOutputStream stream;
        private final Step step;
        private final long id;
        private final boolean labelled;
        private final @Nullable AppendedFile file;
        private long position;

        Stream(
                ClientHost host,
                CrailOutputStream stream,
                Step step,
                long id,
                long from,
                boolean labelled,
                @Nullable AppendedFile file) {
            this.host = host;
            this.stream = stream;
            this.step = step;
            this.id = id;
            this.position = from;
            this.labelled = labelled;
            this.file = file;
        }

        void proceed(int piece) {
            if (piece == step.pieces()) {
                journal.follow(
                        "close stream " + id,
                        host,
                        stream.closeAsync(),
                        (v, cause) -> acked(cause));
                return;
            }
            ByteBuffer bytes =
                    labelled
                            ? Content.labelled(id, position, step.size())
                            : Content.of(id, position, step.size());
            journal.follow(
                    "write piece " + piece + " of stream " + id,
                    host,
                    stream.appendAsync(bytes),
                    (written, cause) -> {
                        if (cause == null) {
                            position += step.size();
                            later(host, () -> sync(piece));
                        }
                    });
        }

        private void sync(int piece) {
            journal.follow(
                    "sync stream " + id,
                    host,
                    stream.syncAsync(),
                    (status, cause) -> {
                        acked(cause);
                        if (cause == null) {
                            laterBy(step.pauseNanos(), host, () -> proceed(piece + 1));
                        }
                    });
        }

        private void acked(@Nullable CrailException cause) {
            if (cause == null && file != null) {
                file.acknowledged(position);
            }
        }
    }

    private void delete(ClientHost host, int target) {
        String path = replacedPath(target);
        Register.Write write = journal.register(path).begin(Register.ABSENT, timeline.now());
        journal.follow(
                "delete " + path,
                host,
                host.client().deleteAsync(path, false),
                (deleted, cause) -> {
                    if (cause == null || cause.code() == ErrorCode.NO_SUCH_NODE) {
                        write.applied(timeline.now());
                    }
                });
    }

    private void readReplaced(ClientHost host, int target, boolean must) {
        String path = replacedPath(target);
        long begun = timeline.now();
        journal.follow(
                "open " + path,
                host,
                host.client().openAsync(path),
                (file, cause) -> {
                    long opened = timeline.now();
                    if (file != null) {
                        later(
                                host,
                                () ->
                                        read(
                                                host,
                                                file,
                                                must,
                                                bytes ->
                                                        checkReplaced(path, bytes, begun, opened)));
                    } else if (cause != null && cause.code() == ErrorCode.NO_SUCH_NODE) {
                        expectAllowed(path, Register.ABSENT, begun, opened);
                    } else if (must) {
                        journal.violation(path + " cannot be opened: " + cause);
                    }
                });
    }

    private void checkReplaced(String path, ByteBuffer bytes, long begun, long opened) {
        if (!bytes.hasRemaining()) {
            return; // Created, and nothing committed yet: whose it is cannot be told.
        }
        long id = Content.owner(bytes);
        if (id < 0) {
            journal.violation(path + " holds foreign or torn bytes: " + bytes.remaining());
        } else {
            expectAllowed(path, id, begun, opened);
        }
    }

    private void expectAllowed(String path, long id, long begun, long opened) {
        timeline.note(id);
        if (!journal.register(path).allows(id, begun, opened)) {
            journal.violation(path + " is " + id + ", which was replaced before, or never made");
        }
    }

    private void readAppended(ClientHost host, int target, boolean must) {
        String path = appendedPath(target);
        AppendedFile file = appended.get(target);
        long acknowledged = file.acknowledged();
        journal.follow(
                "open " + path,
                host,
                host.client().openAsync(path),
                (open, cause) -> {
                    if (open != null) {
                        if (open.length() < acknowledged) {
                            journal.violation(
                                    path
                                            + " has "
                                            + open.length()
                                            + " bytes, but "
                                            + acknowledged
                                            + " were acknowledged");
                        }
                        later(
                                host,
                                () ->
                                        read(
                                                host,
                                                open,
                                                must,
                                                bytes ->
                                                        file.check(bytes)
                                                                .ifPresent(
                                                                        what ->
                                                                                journal.violation(
                                                                                        path + ": "
                                                                                                + what))));
                    } else if (must || (cause != null && cause.code() == ErrorCode.NO_SUCH_NODE)) {
                        journal.violation(path + " cannot be opened: " + cause);
                    }
                });
    }

    /** Reads a file, closes it, and has all its bytes checked; must = nothing excuses a failure. */
    void read(
            ClientHost host,
            CrailFile file,
            boolean must,
            java.util.function.Consumer<ByteBuffer> check) {
        int length = (int) file.length();
        ByteBuffer target = ByteBuffer.allocateDirect(length);
        if (length == 0) {
            file.close();
            check.accept(target);
            return;
        }
        readOn(host, file, must, target, check);
    }

    /** A read may end before what was asked for, at a block. */
    private void readOn(
            ClientHost host,
            CrailFile file,
            boolean must,
            ByteBuffer target,
            java.util.function.Consumer<ByteBuffer> check) {
        int at = target.position();
        journal.follow(
                "read " + file.path() + " from " + at,
                host,
                file.readAsync(at, target.slice()),
                (count, cause) -> {
                    if (count == null) {
                        file.close();
                        if (must && !cluster.isWiped()) {
                            journal.violation(file.path() + " cannot be read: " + cause);
                        }
                        return;
                    }
                    if (count <= 0) {
                        journal.violation(file.path() + " ends at " + at + " early");
                        return;
                    }
                    target.position(at + count);
                    if (target.hasRemaining()) {
                        later(host, () -> readOn(host, file, must, target, check));
                    } else {
                        file.close();
                        check.accept(target.flip());
                    }
                });
    }

    void audit(ClientHost auditor, int target) {
        readReplaced(auditor, target, true);
        readAppended(auditor, target, true);
    }

    void later(ClientHost host, Runnable next) {
        laterBy(1, host, next);
    }

    /** The same life of the client goes on, when it does not stand still. */
    void laterBy(long nanos, ClientHost host, Runnable next) {
        int life = host.lives();
        timeline.after(
                nanos,
                () -> {
                    boolean isLate =
                            timeline.elapsed() > Run.LAST_CALL && host != cluster.auditor();
                    if (isLate || !host.isUp() || host.lives() != life) {
                        return;
                    }
                    if (host.isRunning()) {
                        next.run();
                        host.poke();
                    } else {
                        laterBy(Limits.LEASE.toNanos(), host, next);
                    }
                });
    }
}
