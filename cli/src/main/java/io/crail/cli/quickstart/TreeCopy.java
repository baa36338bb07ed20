// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CancelledException;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Copies a tree of files into crail and reads it back. Several threads share one client; the
 * checksums of the sources are taken while they are copied.
 */
final class TreeCopy {
    private static final int WORKERS = 4;
    private static final int BUFFER = 1 << 20;
    private static final long BOUND_MINUTES = 60;

    private final CrailClient client;
    private final SourceTree tree;
    private final String target;
    private final Map<Path, Long> checksums = new ConcurrentHashMap<>();

    TreeCopy(CrailClient client, SourceTree tree, String target) {
        this.client = client;
        this.tree = tree;
        this.target = target;
    }

    /** Does something to one file. */
    @FunctionalInterface
    private interface FileAction {
        void apply(Path file, ByteBuffer buffer) throws IOException;
    }

    /** Copies everything; {@code progress} hears of bytes, from several threads. */
    void copyIn(LongConsumer progress) throws IOException {
        client.mkdir(target, CreateOptions.PARENTS);
        for (Path directory : tree.directories()) {
            client.mkdir(remote(directory));
        }
        forEachFile((file, buffer) -> copyIn(file, buffer, progress));
    }

    private void copyIn(Path file, ByteBuffer buffer, LongConsumer progress) throws IOException {
        CRC32C crc = new CRC32C();
        Path local = tree.root().resolve(file);
        CreateOptions options = CreateOptions.builder().expectedBytes(Files.size(local)).build();
        try (FileChannel in = FileChannel.open(local);
                CrailOutputStream out = client.createFile(remote(file), options)) {
            while (in.read(buffer.clear()) >= 0) {
                crc.update(buffer.flip().duplicate());
                progress.accept(buffer.remaining());
                out.append(buffer);
            }
        }
        checksums.put(file, crc.getValue());
    }

    /** Reads everything and compares; throws at the first difference. */
    void compare(LongConsumer progress) throws IOException {
        forEachFile((file, buffer) -> compare(file, buffer, progress));
    }

    private void compare(Path file, ByteBuffer buffer, LongConsumer progress) throws IOException {
        CRC32C crc = new CRC32C();
        try (CrailFile in = client.open(remote(file));
                CrailInputStream stream = in.newInputStream()) {
            while (stream.read(buffer.clear()) >= 0) {
                progress.accept(buffer.flip().remaining());
                crc.update(buffer);
            }
        }
        Long expected = checksums.get(file);
        if (expected == null || crc.getValue() != expected) {
            throw new CorruptDataException(
                    remote(file)
                            + " differs from its source "
                            + tree.root().resolve(file)
                            + ": CRC32C "
                            + HexFormat.of().toHexDigits((int) crc.getValue()));
        }
    }

    private String remote(Path relative) {
        StringBuilder path = new StringBuilder(target);
        for (Path name : relative) {
            path.append('/').append(name);
        }
        return path.toString();
    }

    private void forEachFile(FileAction action) throws IOException {
        AtomicInteger next = new AtomicInteger();
        ExecutorService workers =
                Executors.newFixedThreadPool(
                        WORKERS,
                        task -> {
                            Thread thread = new Thread(task, "quickstart-copy");
                            thread.setDaemon(true);
                            return thread;
                        });
        try {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                all.add(workers.submit(() -> work(next, action)));
            }
            for (Future<Integer> one : all) {
                one.get(BOUND_MINUTES, TimeUnit.MINUTES);
            }
        } catch (ExecutionException e) {
            throw rethrow(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new InternalException("the copy does not end", e);
        } finally {
            workers.shutdownNow();
        }
    }

    private int work(AtomicInteger next, FileAction action) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        int done = 0;
        for (int i = next.getAndIncrement(); i < tree.files().size(); i = next.getAndIncrement()) {
            action.apply(tree.files().get(i), buffer);
            done++;
        }
        return done;
    }

    private static IOException rethrow(ExecutionException error) {
        if (error.getCause() instanceof CrailException crail) {
            return CrailException.of(crail.code(), String.valueOf(crail.getMessage()), crail);
        }
        return error.getCause() instanceof IOException cause
                ? new IOException(cause.getMessage(), cause)
                : new InternalException("copy failed: " + error.getCause(), error);
    }
}
