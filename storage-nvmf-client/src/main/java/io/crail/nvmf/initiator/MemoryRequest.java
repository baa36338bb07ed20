// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.queue.CommandQueue;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.SharedMemoryCommand;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a controller on this machine for memory to share with a queue, and maps it ({@link
 * SharedMemoryCommand}). Whatever fails on the way, data goes through the socket as before. Nothing
 * waits: each step is begun by the end of the one before.
 *
 * <p>A process maps {@link #LIMIT} bytes at most for all of its queues, those of lost connections
 * included until the collector has taken them.
 */
final class MemoryRequest {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryRequest.class);
    private static final Cleaner CLEANER = Cleaner.create();
    private static final long LIMIT = 256L << 20;
    private static final AtomicLong MAPPED = new AtomicLong();

    private final CommandQueue queue;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(SharedMemoryCommand.ANSWER_SIZE);

    MemoryRequest(CommandQueue queue) {
        this.queue = queue;
    }

    void start() {
        NvmeFuture<Long> shared =
                post(
                        "Share Memory with " + queue.name(),
                        DataDirection.CONTROLLER_TO_HOST,
                        answer,
                        SharedMemoryCommand::encodeShare);
        CompletableFuture<?> unused =
                shared.whenComplete(
                        (result, failure) -> {
                            if (failure == null && SharedMemoryCommand.isAnswer(answer, 0)) {
                                answered();
                            } else {
                                LOG.debug("{} shares no memory", queue.name(), failure);
                                queue.share(null);
                            }
                        });
    }

    private NvmeFuture<Long> post(
            String what,
            DataDirection direction,
            @Nullable ByteBuffer data,
            PlainCommand.Encoder encoder) {
        NvmeFuture<Long> future = new NvmeFuture<>(queue.engine());
        queue.post(new PlainCommand(what, StatusCode.Scope.NVM, direction, data, encoder, future));
        return future;
    }

    private void answered() {
        long bytes = SharedMemoryCommand.bytes(answer, 0);
        if (bytes == 0) {
            LOG.debug("The target of {} has no memory to share now", queue.name());
            queue.share(null);
            return;
        }
        ByteBuffer mapped = map(SharedMemoryCommand.path(answer, 0), bytes);
        NvmeFuture<Long> used =
                post(
                        "Use Memory of " + queue.name(),
                        DataDirection.NONE,
                        null,
                        (buffer, at, id) ->
                                SharedMemoryCommand.encodeUse(buffer, at, id, mapped != null));
        CompletableFuture<?> unused =
                used.whenComplete(
                        (result, failure) -> queue.share(failure == null ? mapped : null));
    }

    /** Whether it is the file of a target, and nothing else that this user may write to. */
    private static boolean isMarked(FileChannel file, String path) throws IOException {
        ByteBuffer mark = SharedMemoryCommand.mark(String.valueOf(Path.of(path).getFileName()));
        ByteBuffer found = ByteBuffer.allocate(mark.remaining());
        while (found.hasRemaining() && file.read(found, found.position()) >= 0) {
            // One read is enough but for a signal.
        }
        return found.flip().equals(mark);
    }

    /** Null if it cannot be mapped: another container, another user, or enough is mapped. */
    private @Nullable ByteBuffer map(String path, long bytes) {
        if (MAPPED.addAndGet(bytes) > LIMIT) {
            MAPPED.addAndGet(-bytes);
            return null;
        }
        MappedByteBuffer mapped = null;
        try (FileChannel file =
                FileChannel.open(
                        Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() == bytes && isMarked(file, path)) {
                mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            }
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            LOG.debug("{} cannot map {}", queue.name(), path, e);
        }
        if (mapped == null) {
            MAPPED.addAndGet(-bytes);
        } else {
            CLEANER.register(mapped, () -> MAPPED.addAndGet(-bytes));
        }
        return mapped;
    }
}
