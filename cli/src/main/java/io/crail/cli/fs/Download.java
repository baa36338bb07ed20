// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Parallel;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Copies files and trees out of crail; as {@link Upload}, the other way. */
final class Download {
    private record Pending(String remote, Path local) {}

    private final Invocation invocation;
    private final CrailClient client;
    private final LocalWrite write;
    private final Parallel workers;
    private final Progress progress;

    Download(
            Invocation invocation,
            CrailClient client,
            boolean replace,
            Parallel workers,
            Progress progress) {
        this.invocation = invocation;
        this.client = client;
        this.write = new LocalWrite(invocation, replace);
        this.workers = workers;
        this.progress = progress;
    }

    /** Has a worker copy one file. */
    void file(String remote, long length, Path local) {
        progress.expect(length);
        workers.submit(
                "get " + remote + " to " + local,
                () -> write.write(local, out -> copy(remote, out)));
    }

    /** Copies a directory or multifile and all below it. */
    void tree(String root, Path localRoot) {
        Deque<Pending> pending = new ArrayDeque<>();
        pending.push(new Pending(root, localRoot));
        while (!pending.isEmpty()) {
            Pending next = pending.pop();
            invocation.attempt("get " + next.remote, () -> directory(next, pending));
        }
    }

    private void directory(Pending directory, Deque<Pending> pending) throws IOException {
        try {
            Files.createDirectory(directory.local);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory.local)) {
                throw e;
            }
        }
        CrailIterator<DirectoryEntry> entries = client.list(directory.remote);
        while (entries.hasNext()) {
            DirectoryEntry entry = entries.next();
            String remote = CrailPath.join(directory.remote, entry.name());
            invocation.attempt("get " + remote, () -> entry(entry, remote, directory, pending));
        }
    }

    private void entry(DirectoryEntry entry, String remote, Pending parent, Deque<Pending> pending)
            throws IOException {
        // The server allows no name that could lead elsewhere; a hostile one must not, either.
        Path local = parent.local.resolve(entry.name());
        if (!parent.local.equals(local.getParent()) || entry.name().contains("/")) {
            throw new InvalidArgumentException("name '" + entry.name() + "' leads elsewhere");
        }
        if (Attributes.hasNames(entry.status())) {
            pending.push(new Pending(remote, local));
        } else if (entry.status().type().isContainer()) {
            throw new InvalidArgumentException(remote + " is a table; 'crail kv' reads its values");
        } else {
            file(remote, entry.status().length(), local);
        }
    }

    private void copy(String remote, FileChannel out) throws IOException {
        try (Content content = Content.open(client, remote)) {
            int size = content.pieceBytes();
            ByteBuffer buffer = TransferBuffer.take(size);
            while (content.read(buffer) >= 0) {
                progress.add(buffer.flip().remaining());
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                buffer.clear().limit(size);
            }
        }
    }
}
