// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Parallel;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;

/**
 * Copies local files and trees into crail. The caller's thread walks the tree and makes
 * directories, workers copy files.
 */
final class Upload {
    private static final CreateOptions DIRECTORY = CreateOptions.builder().existingOk(true).build();

    private final Invocation invocation;
    private final CrailClient client;
    private final RemoteWrite write;
    private final Parallel workers;
    private final Progress progress;
    private final SmallFiles small;

    Upload(
            Invocation invocation,
            CrailClient client,
            RemoteWrite write,
            Parallel workers,
            Progress progress) {
        this.invocation = invocation;
        this.client = client;
        this.write = write;
        this.workers = workers;
        this.progress = progress;
        this.small = new SmallFiles(invocation, write, this::large, workers, progress);
    }

    /** Has a worker copy one file; a small one, at the latest, after {@link #flush}. */
    void file(Path local, String remote) throws IOException {
        file(local, Files.size(local), remote);
    }

    private void file(Path local, long size, String remote) {
        progress.expect(size);
        if (size <= SmallFiles.LARGEST) {
            small.add(local, remote);
        } else {
            workers.submit("put " + local + " to " + remote, () -> large(local, remote));
        }
    }

    private void large(Path local, String remote) throws IOException {
        write.write(remote, Files.size(local), out -> copy(local, out));
    }

    /** Everything is named that shall be copied. */
    void flush() {
        small.flush();
    }

    /** Copies a directory and all below it; links are followed. */
    void tree(Path root, String remoteRoot) throws IOException {
        Files.walkFileTree(
                root,
                EnumSet.of(FileVisitOption.FOLLOW_LINKS),
                Integer.MAX_VALUE,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) {
                        String remote = remote(root, remoteRoot, directory);
                        boolean made =
                                invocation.attempt(
                                        "mkdir " + remote, () -> client.mkdir(remote, DIRECTORY));
                        return made ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (attributes.isRegularFile()) {
                            file(file, attributes.size(), remote(root, remoteRoot, file));
                        } else {
                            invocation.report(
                                    "put " + file, new IOException("is not a regular file"));
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException error) {
                        invocation.report("put " + file, error);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static String remote(Path root, String remoteRoot, Path local) {
        String remote = remoteRoot;
        for (Path name : root.relativize(local)) {
            remote = name.toString().isEmpty() ? remote : CrailPath.join(remote, name.toString());
        }
        return remote;
    }

    private void copy(Path local, CrailOutputStream out) throws IOException {
        try (FileChannel in = FileChannel.open(local)) {
            int size = (int) Math.max(1, Math.min(Content.BUFFER, in.size()));
            ByteBuffer buffer = TransferBuffer.take(size);
            while (in.read(buffer.clear().limit(size)) >= 0) {
                long bytes = buffer.flip().remaining();
                out.append(buffer);
                progress.add(bytes);
            }
        }
    }
}
