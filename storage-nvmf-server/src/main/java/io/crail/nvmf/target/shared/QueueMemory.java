// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.shared;

import io.crail.nvmf.wire.command.SharedMemoryCommand;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one queue shares with its host, which may have none ({@link
 * SharedMemoryCommand}).
 *
 * <p><b>Who touches it.</b> The host chooses which part a command uses. On this side nobody looks
 * at the bytes: only the kernel moves them, within the system call of a command that has passed its
 * gate and its guard. So a host that cuts the file off, or writes into it at the wrong time, spoils
 * its own data: the system call fails, or moves what it finds. As with data in a socket, what was
 * checked about a command is not in that memory.
 *
 * <p><b>When it ends.</b> The connection closes it after the last of its commands has come back
 * from the medium, and never lends it to another queue: a host that was stopped may still have it
 * mapped, and write there.
 *
 * <p>Thread-safe: workers make it, the event loop lends pieces.
 */
public final class QueueMemory {
    /** Of a queue that shares none. */
    public static final QueueMemory NONE = new QueueMemory(null, 0);

    private final @Nullable SharedMemory source;
    private final int bytes;
    private SharedMemory.@Nullable SharedFile file;
    private boolean closed;
    private volatile @Nullable ByteBuffer memory;

    /**
     * Memory that was not made yet.
     *
     * @param source null if none can be shared with this host
     * @param bytes how much
     */
    public QueueMemory(@Nullable SharedMemory source, int bytes) {
        this.source = source;
        this.bytes = bytes;
    }

    /** Whether the host may ask for it. */
    public boolean isPossible() {
        return source != null;
    }

    /** Share Memory: makes it if there is room, and fills the answer. */
    public synchronized int share(ByteBuffer answer) {
        if (source == null) {
            return StatusCode.INVALID_OPCODE.doNotRetry();
        }
        if (file != null || closed) {
            return StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
        }
        SharedMemory.SharedFile made = source.make(bytes);
        file = made;
        SharedMemoryCommand.encodeAnswer(
                answer, 0, made == null ? 0 : bytes, made == null ? "" : made.path().toString());
        return Status.SUCCESS;
    }

    /** Use Memory: from now on there are pieces of it, or it is gone. */
    public synchronized int use(boolean mapped) {
        SharedMemory.SharedFile made = file;
        if (made == null || memory != null) {
            return StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
        }
        if (mapped) {
            made.unlink();
            memory = made.memory();
        } else {
            made.close();
            file = null;
        }
        return Status.SUCCESS;
    }

    /** The memory of data there, from position 0; null if the range is not allowed. */
    public @Nullable ByteBuffer piece(long offset, int length) {
        ByteBuffer all = memory;
        boolean allowed =
                all != null
                        && offset >= 0
                        && offset <= all.capacity() - length
                        && ((offset | length) & SharedMemoryCommand.ALIGNMENT - 1) == 0;
        return allowed && all != null ? all.slice((int) offset, length) : null;
    }

    /** The connection is gone, and no command uses it any more. Idempotent. */
    public synchronized void close() {
        closed = true;
        memory = null;
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
