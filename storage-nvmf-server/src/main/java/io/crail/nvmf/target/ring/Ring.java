// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.ring;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.unix.Buffer;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A submission and a completion queue of io_uring(7). What was begun is handed to the kernel, all
 * at once, by {@link #run}, which also tells what has ended.
 *
 * <p>Belongs to the thread that made it, which alone may submit; only {@link #wakeup} is for
 * others.
 *
 * <p>Of what touches files only reads go this way. A process that is killed while a write of a ring
 * is under way is gone, with its locks of files, before that write is: the next server of the file
 * could not rely on being alone with it. A read that comes late changes nothing.
 */
public final class Ring {
    private static final byte OP_OPENAT = 18;
    private static final byte OP_READ = 22;
    private static final byte OP_MADVISE = 25;

    /** A command of the file itself, from Linux 6.7 on such as setsockopt(2). */
    private static final byte OP_URING_CMD = 46;

    private static final long SET_SOCKET_OPTION = 3;

    /** Of openat(2): relative paths begin at the working directory. */
    private static final int AT_FDCWD = -100;

    /** That no file is needed. */
    private static final int NO_FILE = -1;

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final IoHandlerContext NEVER_WAIT = new Wait(0);

    private final IoHandler handler;
    private final IoRegistration registration;
    private final Listener listener;
    private @Nullable Integer answer;

    /** Told how reads end, by {@link #run}. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A read has ended: nothing of it happens any more.
         *
         * @param token of the read
         * @param result bytes, or a negative error number
         */
        void ended(int token, int result);
    }

    /**
     * Makes a ring; the calling thread owns it.
     *
     * @param entries how many reads are handed to the kernel at a time
     * @throws IOException if the kernel has none, or refuses
     */
    public Ring(int entries, Listener listener) throws IOException {
        this.listener = listener;
        if (!IoUring.isAvailable()) {
            throw new IOException("io_uring cannot be used: " + IoUring.unavailabilityCause());
        }
        try {
            handler =
                    IoUringIoHandler.newFactory(new IoUringIoHandlerConfig().setRingSize(entries))
                            .newHandler(new Owner(Thread.currentThread()));
            handler.initialize();
            registration = handler.register(new Handle());
        } catch (Exception e) { // what register declares
            throw new IOException("io_uring cannot be used: " + e, e);
        }
    }

    /** The thread for which Netty asks. */
    private record Owner(Thread thread) implements ThreadAwareExecutor {
        @Override
        public boolean isExecutorThread(Thread other) {
            return other == thread;
        }

        @Override
        public void execute(Runnable task) {
            if (Thread.currentThread() != thread) {
                throw new IllegalStateException("a ring has one owner");
            }
            task.run();
        }
    }

    /** Takes completions. */
    private final class Handle implements IoUringIoHandle {
        @Override
        public void handle(IoRegistration of, IoEvent event) {
            IoUringIoEvent completion = (IoUringIoEvent) event;
            if (completion.opcode() == OP_READ) {
                listener.ended((int) completion.userData(), completion.res());
            } else {
                answer = completion.res();
            }
        }

        @Override
        public void close() {
            // Nothing of it is left when the ring is closed.
        }
    }

    /** How long Netty may wait. */
    private record Wait(long nanos) implements IoHandlerContext {
        @Override
        public boolean canBlock() {
            return nanos > 0;
        }

        @Override
        public long delayNanos(long now) {
            return nanos;
        }

        @Override
        public long deadlineNanos() {
            return System.nanoTime() + nanos;
        }
    }

    /**
     * Opens a file for direct reads; before any read is begun.
     *
     * <p>It stays open as long as the process lives: to close one descriptor of a file drops the
     * locks that the process has on it (fcntl(2)).
     *
     * @return its descriptor
     */
    public int openDirect(Path file) throws IOException {
        byte[] name = file.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
        ByteBuffer path = ByteBuffer.allocateDirect(name.length + 1).put(0, name);
        int descriptor = await(OP_OPENAT, AT_FDCWD, path, 0, OpenFlags.readDirect());
        if (descriptor < 0) {
            throw new IOException("io_uring cannot open " + file + ": error " + -descriptor);
        }
        // Java may spell names in another way than as UTF-8.
        if (!Files.isSameFile(Path.of("/proc/self/fd", Integer.toString(descriptor)), file)) {
            throw new IOException("io_uring opened another file than " + file);
        }
        return descriptor;
    }

    /**
     * Advises the kernel on memory (madvise(2)); before any read is begun.
     *
     * @param memory all of it, from position 0 to the capacity
     * @param advice its number
     * @return 0, or a negative error number
     */
    public int advise(ByteBuffer memory, int advice) throws IOException {
        return await(OP_MADVISE, NO_FILE, memory, memory.capacity(), advice);
    }

    /**
     * Sets an option of a socket (setsockopt(2)); before any read is begun.
     *
     * @param socket descriptor
     * @param value all of it, from position 0 to the capacity
     * @return 0, or a negative error number
     */
    public int setSocketOption(int socket, int level, int option, ByteBuffer value)
            throws IOException {
        return await(
                value,
                new IoUringIoOps(
                        OP_URING_CMD,
                        (byte) 0,
                        (short) 0,
                        socket,
                        SET_SOCKET_OPTION,
                        (long) option << Integer.SIZE | level,
                        0,
                        0,
                        0L,
                        (short) 0,
                        (short) 0,
                        value.capacity(),
                        Buffer.memoryAddress(value)));
    }

    private int await(byte operation, int file, ByteBuffer memory, int length, int flags)
            throws IOException {
        return await(
                memory,
                new IoUringIoOps(
                        operation,
                        (byte) 0,
                        (short) 0,
                        file,
                        0L,
                        Buffer.memoryAddress(memory),
                        length,
                        flags,
                        0L,
                        (short) 0,
                        (short) 0,
                        0,
                        0L));
    }

    private int await(ByteBuffer memory, IoUringIoOps operation) throws IOException {
        answer = null;
        registration.submit(operation);
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        try {
            while (true) {
                handler.run(NEVER_WAIT);
                Integer result = answer;
                if (result != null) {
                    return result;
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException("io_uring does not answer");
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } finally {
            Reference.reachabilityFence(memory); // The kernel knows its address only.
        }
    }

    /**
     * Begins a read.
     *
     * @param file descriptor
     * @param into filled from position to limit; belongs to the ring until the read has ended
     * @param token what {@link Listener#ended} is told
     */
    public void read(int file, long position, ByteBuffer into, int token) {
        registration.submit(
                new IoUringIoOps(
                        OP_READ,
                        (byte) 0,
                        (short) 0,
                        file,
                        position,
                        Buffer.memoryAddress(into) + into.position(),
                        into.remaining(),
                        0,
                        (long) token,
                        (short) 0,
                        (short) 0,
                        0,
                        0L));
    }

    /**
     * Hands what was begun to the kernel, and tells what has ended.
     *
     * @param nanos how long to wait if nothing has, or until {@link #wakeup}
     */
    public void run(long nanos) {
        handler.run(nanos == 0 ? NEVER_WAIT : new Wait(nanos));
    }

    /** Ends a wait, this one or the next. Any thread. */
    public void wakeup() {
        handler.wakeup();
    }

    /** Lets go of the ring. Nothing is under way any more. */
    public void close() {
        handler.prepareToDestroy();
        handler.destroy();
    }
}
