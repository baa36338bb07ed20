// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.block.Generation;
import io.crail.protocol.hugepages.HugePageMount;
import io.crail.protocol.segment.SegmentHeader;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A segment file in the making.
 *
 * <p>A mapped page that the kernel cannot provide kills the JVM with SIGBUS. So a file is filled
 * through {@code write}, where lack of memory is an error one can handle, before it is mapped.
 * Files of hugetlbfs know no {@code write}; but their {@code mmap} of a shared mapping reserves in
 * the kernel's pool all pages that the file does not have yet, or fails (kernel document
 * mm/hugetlbfs_reserv), and the reservation is the file's, whoever touches the page. All are
 * touched before the file is announced, so that it has them for good: also over a restart of the
 * server, whose mapping then reserves nothing. What the reservation does not cover, limits of
 * control groups, the {@link FreeSpace} has looked at before.
 *
 * <p>The header is written last: a file without one was never announced to anybody.
 *
 * @param file where it will be; must not exist
 * @param space what to ask why there is no room
 */
record NewSegmentFile(Path file, FreeSpace space) {
    private static final Logger LOG = LoggerFactory.getLogger(NewSegmentFile.class);
    private static final int FILL_STEP = 1 << 20;

    /**
     * The file's file system if it is one of huge pages, which cannot be written but only mapped;
     * else null. One that the mount table does not show (chroot) was not mounted for huge pages.
     */
    private @Nullable FileStore hugePages() {
        try {
            FileStore store = Files.getFileStore(file);
            return HugePageMount.isHugePages(store.type()) ? store : null;
        } catch (IOException e) {
            LOG.debug("The file system of {} is unknown: {}", file, e.toString());
            return null;
        }
    }

    /** Makes, fills and maps the file; null, and nothing is left, if cancelled. */
    @Nullable Segment make(SegmentHeader header, BooleanSupplier cancelled) throws IOException {
        long size = SegmentLayout.fileSize(header.dataBytes());
        boolean done = false;
        try (FileChannel channel = open()) {
            FileStore huge = hugePages();
            if (huge == null && !fill(channel, size, cancelled)) {
                return null;
            }
            ByteBuffer mapped = huge == null ? map(channel, size) : mapHuge(channel, size, huge);
            Segment segment = new Segment(header, mapped);
            for (int slot = 0; slot < segment.slots(); slot++) {
                segment.setGeneration(
                        slot, Generation.of(header.incarnation(), Generation.FIRST_COUNTER));
            }
            writeHeader(mapped, header);
            done = true;
            return segment;
        } finally {
            if (!done) {
                removeQuietly();
            }
        }
    }

    private FileChannel open() throws IOException {
        return FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    private static boolean fill(FileChannel channel, long size, BooleanSupplier cancelled)
            throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(FILL_STEP);
        for (long at = 0; at < size; at += zeros.position()) {
            if (cancelled.getAsBoolean()) {
                return false;
            }
            zeros.clear().limit((int) Math.min(FILL_STEP, size - at));
            while (zeros.hasRemaining()) {
                channel.write(zeros, at + zeros.position());
            }
        }
        return true;
    }

    private ByteBuffer mapHuge(FileChannel channel, long size, FileStore store) throws IOException {
        long page = store.getBlockSize();
        if (size % page != 0) {
            throw new InvalidArgumentException(
                    "segment files of "
                            + size
                            + " bytes do not fill huge pages of "
                            + page
                            + " bytes in "
                            + file.getParent()
                            + "; choose a segment size that is a multiple of the page");
        }
        try {
            return map(channel, size);
        } catch (IOException e) {
            throw new OutOfSpaceException(space.shortage(directory(), size), e);
        }
    }

    private Path directory() {
        return file.toAbsolutePath().resolveSibling("").normalize();
    }

    private static ByteBuffer map(FileChannel channel, long size) throws IOException {
        // Touches every page once, so that requests meet no page faults.
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, size).load();
    }

    private static void writeHeader(ByteBuffer mapped, SegmentHeader header) {
        ByteBuffer page = header.encode();
        long magic = page.getLong(SegmentLayout.MAGIC_OFFSET);
        page.putLong(SegmentLayout.MAGIC_OFFSET, 0);
        mapped.duplicate().put(0, page, 0, page.capacity());
        VarHandle.releaseFence();
        mapped.putLong(SegmentLayout.MAGIC_OFFSET, magic);
    }

    private void removeQuietly() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("Cannot remove unfinished segment file {}: {}", file, e.toString());
        }
    }
}
