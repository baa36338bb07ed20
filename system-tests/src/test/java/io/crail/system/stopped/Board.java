// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a client says of itself, in a file that its process and the test map: exact at the
 * instruction where the process was stopped, unlike lines in a pipe.
 */
final class Board {
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int SIZE = 4096;
    private static final int BUSY = 0;
    private static final int STAMP = 8;
    private static final int SYNCED = 16;
    private static final int STEPS = 24;

    private final ByteBuffer mapped;

    private Board(MappedByteBuffer mapped) {
        this.mapped = mapped;
    }

    static Board open(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            return new Board(channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE));
        }
    }

    private long get(int offset) {
        return (long) LONGS.getVolatile(mapped, offset);
    }

    private void set(int offset, long value) {
        LONGS.setVolatile(mapped, offset, value);
    }

    /** From now on the client is in the middle of it, until {@link #idle}. */
    void busy(long stamp) {
        set(STAMP, stamp);
        set(BUSY, 1);
    }

    void idle() {
        set(BUSY, 0);
    }

    boolean isBusy() {
        return get(BUSY) == 1;
    }

    /** Stamp of what is being written. */
    long stamp() {
        return get(STAMP);
    }

    /** A length that was acknowledged as committed. */
    void synced(long length) {
        set(SYNCED, length);
    }

    long synced() {
        return get(SYNCED);
    }

    /** Another piece was written, or looked at. */
    void step() {
        set(STEPS, get(STEPS) + 1);
    }

    long steps() {
        return get(STEPS);
    }
}
