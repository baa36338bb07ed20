// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Copies between mapped memory and a buffer of 1 MiB in steps of 64 KiB, with the CRC32C of each
 * step taken of its source first, if wanted: the least that a checked read or write must do. All
 * pages have been touched. Not thread-safe.
 */
public final class MemoryCopy {
    private static final int STEP = 64 << 10;
    private static final int BUFFER = 1 << 20;

    private final ByteBuffer mapped;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final boolean checksum;
    private final CRC32C crc = new CRC32C();

    /**
     * Copies of the memory of a peer.
     *
     * @param checksum whether to take checksums
     */
    public MemoryCopy(Peer peer, boolean checksum) {
        this.mapped = peer.memory();
        this.checksum = checksum;
    }

    /** Bytes of the mapped memory. */
    public long size() {
        return mapped.capacity();
    }

    /** Bytes per second out of the mapped memory from a position on, as a read does. */
    public double read(long position, long bytes) {
        return run(position, bytes, true);
    }

    /** Bytes per second into the mapped memory, as a write does. */
    public double write(long position, long bytes) {
        return run(position, bytes, false);
    }

    private double run(long position, long bytes, boolean read) {
        long start = System.nanoTime();
        for (long done = 0; done < bytes; done += STEP) {
            int length = (int) Math.min(STEP, bytes - done);
            int here = (int) ((position + done) % (mapped.capacity() - STEP));
            int there = (int) (done % BUFFER);
            if (checksum) {
                crc.reset();
                crc.update(
                        (read ? mapped.clear().position(here) : buffer.clear().position(there))
                                .limit((read ? here : there) + length));
            }
            if (read) {
                buffer.put(there, mapped.clear(), here, length);
            } else {
                mapped.put(here, buffer.clear(), there, length);
            }
        }
        return bytes * 1e9 / Math.max(1, System.nanoTime() - start);
    }
}
