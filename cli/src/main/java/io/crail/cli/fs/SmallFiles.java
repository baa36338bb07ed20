// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Parallel;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailFuture;
import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies small local files into crail, a batch of them at a time: what costs is the round trips, so
 * the files of a batch make theirs together. Each appears under its name when it is complete, and
 * fails for itself. Not thread-safe; the batches are copied by workers.
 */
final class SmallFiles {
    /** Up to this size the whole file is in memory. */
    static final int LARGEST = 64 << 10;

    private static final int BATCH = 16;

    /** A step for one file. */
    @FunctionalInterface
    private interface Step {
        void run(Copy copy) throws IOException;
    }

    /** How a file is copied that turns out not to be small. */
    @FunctionalInterface
    interface Large {
        void copy(Path local, String remote) throws IOException;
    }

    /** One file on its way. */
    private static final class Copy {
        final Path local;
        final String remote;
        final RemoteWrite.Temporary temporary;
        ByteBuffer content = ByteBuffer.allocate(0);
        @Nullable CrailFuture<CrailOutputStream> created;
        @Nullable CrailOutputStream out;
        @Nullable CrailFuture<?> underWay;

        Copy(Path local, String remote, RemoteWrite.Temporary temporary) {
            this.local = local;
            this.remote = remote;
            this.temporary = temporary;
        }
    }

    private final Invocation invocation;
    private final RemoteWrite write;
    private final Large large;
    private final Parallel workers;
    private final Progress progress;
    private List<Copy> batch = new ArrayList<>();

    SmallFiles(
            Invocation invocation,
            RemoteWrite write,
            Large large,
            Parallel workers,
            Progress progress) {
        this.invocation = invocation;
        this.write = write;
        this.large = large;
        this.workers = workers;
        this.progress = progress;
    }

    /** Has a file of at most {@link #LARGEST} bytes copied, at the latest after {@link #flush}. */
    void add(Path local, String remote) {
        batch.add(new Copy(local, remote, write.temporary(remote)));
        if (batch.size() == BATCH) {
            flush();
        }
    }

    /** Has all files that were added copied. */
    void flush() {
        List<Copy> full = batch;
        batch = new ArrayList<>();
        if (!full.isEmpty()) {
            workers.submit("put " + full.get(0).local, () -> copy(full));
        }
    }

    private void copy(List<Copy> copies) {
        try {
            List<Copy> left = each(copies, this::create);
            left = each(left, this::fill);
            left = each(left, this::rename);
            each(left, this::finish);
        } finally {
            copies.forEach(this::end);
        }
    }

    /** Each step goes through the whole batch before the next one waits for it. */
    private List<Copy> each(List<Copy> copies, Step step) {
        List<Copy> succeeded = new ArrayList<>();
        for (Copy copy : copies) {
            String what = "put " + copy.local + " to " + copy.remote;
            if (invocation.attempt(what, () -> run(step, copy)) && copy.created != null) {
                succeeded.add(copy);
            }
        }
        return succeeded;
    }

    private static void run(Step step, Copy copy) throws IOException {
        try {
            step.run(copy);
        } catch (CrailException e) {
            throw copy.temporary.named(e);
        }
    }

    private void create(Copy copy) throws IOException {
        try (FileChannel in = FileChannel.open(copy.local)) {
            long size = in.size();
            if (size <= LARGEST) {
                copy.content = read(in, (int) size);
                copy.created = copy.temporary.create(copy.content.remaining());
            }
        }
        if (copy.created == null) {
            large.copy(copy.local, copy.remote);
        }
    }

    /** What the file held when it was opened, or less if it was cut since. */
    private static ByteBuffer read(FileChannel in, int size) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(size);
        while (content.hasRemaining() && in.read(content) >= 0) {
            // Until everything is there.
        }
        return content.flip();
    }

    private void fill(Copy copy) throws IOException {
        CrailOutputStream out = Outcome.of(Objects.requireNonNull(copy.created));
        copy.out = out;
        out.append(copy.content);
        copy.underWay = out.closeAsync();
    }

    private void rename(Copy copy) throws IOException {
        Outcome.of(Objects.requireNonNull(copy.underWay));
        copy.out = null;
        copy.underWay = copy.temporary.rename();
    }

    private void finish(Copy copy) throws IOException {
        copy.temporary.renamed(Objects.requireNonNull(copy.underWay));
        progress.add(copy.content.limit());
    }

    /** Leaves nothing of what failed. */
    private void end(Copy copy) {
        CrailOutputStream out = copy.out;
        if (out != null) {
            out.abort();
        }
        copy.temporary.end();
    }
}
