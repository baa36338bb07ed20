// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.memory;

import io.crail.nvmf.target.ring.Ring;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that lies together in the machine, too, for data between a socket or another process and a
 * medium.
 *
 * <p>Direct I/O tells the device where each page of a buffer is. A MiB of small pages is a list of
 * 256 pieces, which takes the kernel four times as long to make, most virtual disks two requests,
 * and what is behind them two to three times as long as one piece does (ADR 24). So the kernel is
 * asked to move the pages into huge ones, whatever is set for transparent huge pages in general:
 * that setting is about memory of which nobody knows how it is used. Where it cannot (before Linux
 * 6.1, without io_uring, by which it is asked, or for lack of free memory that lies together), the
 * pages stay as they are, and everything works as before.
 *
 * <p>Thread-safe.
 */
public final class HugePages {
    /** Bytes of a huge page, as most machines have them. */
    public static final int SIZE = 2 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(HugePages.class);

    /** From linux/mman.h, the same on all processors. */
    private static final int MADV_COLLAPSE = 25;

    /** That pages were in use for the moment, by whatever looks at all pages: EAGAIN. */
    private static final int TRY_AGAIN = -11;

    /** Threads that map at the same time take the place: on busy cores, that of one in forty. */
    private static final int TRIES = 16;

    private static final AtomicBoolean SAID = new AtomicBoolean();

    private HugePages() {}

    /** Direct memory that begins at a multiple of {@link #SIZE}, gathered. */
    public static ByteBuffer allocate(int bytes) {
        ByteBuffer whole = ByteBuffer.allocateDirect(Math.addExact(bytes, SIZE));
        int from = SIZE - whole.alignmentOffset(0, SIZE) & SIZE - 1;
        ByteBuffer memory = whole.slice(from, bytes);
        gather(memory);
        return memory;
    }

    /**
     * Maps a file to be written and read, from its first byte on, and gathers its pages.
     *
     * <p>The kernel gathers them only where addresses and positions in the file are the same
     * multiple of a page. Java lets nobody choose an address, but the kernel puts a mapping right
     * below the last one, mostly. So a mapping of another file fills up what is too much. What came
     * to lie elsewhere, since another thread was faster, is tried again, and stays mapped,
     * untouched, until the collector finds it.
     *
     * @param file has its bytes in pages of memory
     * @param filler an empty file of the same kind; it gets a size, but no page
     * @param bytes how much of it
     */
    public static MappedByteBuffer map(FileChannel file, FileChannel filler, int bytes)
            throws IOException {
        MappedByteBuffer memory;
        int tries = 0;
        do {
            makeRoom(filler, bytes);
            memory = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            tries++;
        } while (tries < TRIES && memory.alignmentOffset(0, SIZE) != 0);
        gather(memory);
        return memory;
    }

    /**
     * Has the next mapping begin at a multiple of a huge page, unless another thread maps first.
     */
    private static void makeRoom(FileChannel filler, int bytes) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int over = over(filler, bytes);
            if (over == 0) {
                return;
            }
            filler.map(FileChannel.MapMode.READ_WRITE, 0, (long) bytes + over);
        }
    }

    /** By how much the next mapping would be above a multiple of a huge page. */
    private static int over(FileChannel filler, int bytes) throws IOException {
        MappedByteBuffer last = filler.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        return last.alignmentOffset(0, SIZE) - bytes & SIZE - 1;
    }

    private static void gather(ByteBuffer memory) {
        int whole = memory.capacity() & -SIZE;
        if (whole == 0) {
            return;
        }
        try {
            Ring ring = new Ring(1, HugePages::nothingWasRead);
            try {
                int result = TRY_AGAIN;
                for (int i = 0; i < TRIES && result == TRY_AGAIN; i++) {
                    result = ring.advise(memory.slice(0, whole), MADV_COLLAPSE);
                }
                if (result != 0) {
                    tell("the kernel has none, error " + -result);
                }
            } finally {
                ring.close();
            }
        } catch (IOException e) {
            tell(String.valueOf(e.getMessage()));
        }
    }

    private static void nothingWasRead(int token, int result) {
        throw new IllegalStateException("nothing was read");
    }

    private static void tell(String why) {
        if (SAID.compareAndSet(false, true)) {
            LOG.info("Data between hosts and media lies in small pages: {}", why);
        } else {
            LOG.debug("No huge pages: {}", why);
        }
    }
}
