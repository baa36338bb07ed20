// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Generation;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segment files of one directory, which the caller has locked.
 *
 * <p>A mapped page that the kernel cannot provide kills the JVM with SIGBUS. So a file is filled
 * through {@code write}, where lack of memory is an error one can handle, before it is mapped.
 * Files of hugetlbfs know no {@code write}; their {@code mmap} reserves all pages or fails, which
 * is as good. The header is written last: a file without one was never announced to anybody and is
 * removed.
 *
 * <p>Not thread-safe: one owned thread at a time. That thread must not be interrupted, because an
 * interrupt closes the channel it fills.
 */
public final class SegmentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentFiles.class);
    private static final String PREFIX = "segment-";
    private static final int FILL_STEP = 1 << 20;

    private final Path directory;
    private final UUID server;
    private final Random random;
    private final FreeSpace space;

    /**
     * @param directory where the files are
     * @param server identity that new files carry and old ones must carry
     * @param random source of incarnations and cookies: a SecureRandom but in tests
     * @param space tells the free space
     */
    public SegmentFiles(Path directory, UUID server, Random random, FreeSpace space) {
        this.directory = directory;
        this.server = server;
        this.random = random;
        this.space = space;
    }

    /**
     * Maps what an earlier run left, in order of segment numbers. Files that were never completed
     * are removed.
     *
     * @throws CrailException if a file is damaged or belongs to another cluster or server
     */
    public List<Segment> attach(UUID cluster) throws CrailException {
        List<Segment> segments = new ArrayList<>();
        try {
            for (Path file : files()) {
                Segment segment = attach(file, cluster);
                if (segment == null) {
                    LOG.info("Removing {}, which was never completed", file);
                    Files.delete(file);
                } else {
                    segments.add(segment);
                }
            }
        } catch (IOException e) {
            throw failed("cannot attach the segment files in " + directory, e);
        }
        segments.sort(Comparator.comparingInt(Segment::number));
        return segments;
    }

    private @Nullable Segment attach(Path file, UUID cluster) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = channel.size();
            if (size < SegmentLayout.HEADER_SIZE) {
                return null;
            }
            ByteBuffer page =
                    ByteBuffer.allocate(SegmentLayout.CHECKED_TO).order(ByteOrder.LITTLE_ENDIAN);
            while (page.hasRemaining() && channel.read(page, page.position()) >= 0) {
                // One read is enough but for a signal.
            }
            if (!SegmentHeader.isComplete(page)) {
                return null;
            }
            SegmentHeader header = SegmentHeader.decode(page, file, size);
            checkOwner(file, header, cluster);
            return new Segment(header, channel.map(FileChannel.MapMode.READ_WRITE, 0, size));
        }
    }

    private void checkOwner(Path file, SegmentHeader header, UUID cluster) throws CrailException {
        if (!header.cluster().equals(cluster)) {
            throw new VersionMismatchException(
                    "segment file "
                            + file
                            + " belongs to cluster "
                            + header.cluster()
                            + ", the namenode serves cluster "
                            + cluster
                            + "; use another directory, or discard its data with --format");
        }
        if (!header.server().equals(server)) {
            throw new VersionMismatchException(
                    "segment file "
                            + file
                            + " belongs to server "
                            + header.server()
                            + ", this is server "
                            + server
                            + "; use another directory, or discard its data with --format");
        }
        if (!file.equals(file(header.segment()))) {
            throw new CorruptDataException(
                    "segment file "
                            + file
                            + " holds segment "
                            + header.segment()
                            + "; give it its name back, or discard its data with --format");
        }
    }

    /**
     * Makes, fills and maps a segment. Takes about a second per GiB.
     *
     * @param cancelled asked between steps; when true, nothing is left and the result is null
     * @throws OutOfSpaceException if the file system has no room for it
     */
    public @Nullable Segment create(
            int number, UUID cluster, long dataBytes, BooleanSupplier cancelled)
            throws CrailException {
        checkSize(dataBytes);
        SegmentHeader header =
                new SegmentHeader(uuid(), cluster, server, number, randomIncarnation(), dataBytes);
        Path file = file(number);
        long size = SegmentLayout.fileSize(dataBytes);
        checkSpace(size);
        boolean done = false;
        try (FileChannel channel = openNew(file)) {
            FileStore store = Files.getFileStore(directory);
            boolean huge = store.type().equals("hugetlbfs");
            if (!huge && !fill(channel, size, cancelled)) {
                return null;
            }
            ByteBuffer mapped = huge ? mapHuge(channel, size, store) : map(channel, size);
            Segment segment = new Segment(header, mapped);
            for (int slot = 0; slot < segment.slots(); slot++) {
                segment.setGeneration(
                        slot, Generation.of(header.incarnation(), Generation.FIRST_COUNTER));
            }
            writeHeader(mapped, header);
            done = true;
            return segment;
        } catch (IOException e) {
            throw failed("cannot make segment file " + file + " of " + size + " bytes", e);
        } finally {
            if (!done) {
                removeQuietly(file);
            }
        }
    }

    /** Fails unless {@code bytes} more fit into the file system. */
    public void checkSpace(long bytes) throws CrailException {
        long usable;
        try {
            usable = space.usableBytes(directory);
        } catch (IOException e) {
            throw failed("cannot tell the free space of " + directory, e);
        }
        if (usable < bytes) {
            throw new OutOfSpaceException(
                    "segments need "
                            + bytes
                            + " bytes in "
                            + directory
                            + ", where "
                            + usable
                            + " are free; lower the capacity, choose another directory, or enlarge"
                            + " the file system (mount -o remount,size=... /dev/shm; for a"
                            + " container: --shm-size=..., its default is 64 MiB)");
        }
    }

    /** Fails unless a segment may have {@code dataBytes} of data. */
    public static void checkSize(long dataBytes) throws InvalidArgumentException {
        if (dataBytes < BlockGeometry.SLAB_SIZE
                || dataBytes > SegmentLayout.MAX_DATA
                || dataBytes % BlockGeometry.SLAB_SIZE != 0) {
            throw new InvalidArgumentException(
                    "segment size of "
                            + dataBytes
                            + " bytes: must be a multiple of 1 MiB, at most "
                            + SegmentLayout.MAX_DATA
                            + " (1 GiB); a larger capacity is made of several segments");
        }
    }

    /** Removes all segment files. Mappings of them stay valid until they are let go. */
    public void removeAll() throws CrailException {
        try {
            for (Path file : files()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw failed("cannot remove the segment files in " + directory, e);
        }
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream =
                Files.newDirectoryStream(directory, PREFIX + "[0-9]*")) {
            stream.forEach(files::add);
        }
        return files;
    }

    private Path file(int number) {
        return directory.resolve(PREFIX + number);
    }

    private static FileChannel openNew(Path file) throws IOException {
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
                            + directory
                            + "; choose a segment size that is a multiple of the page");
        }
        try {
            return map(channel, size);
        } catch (IOException e) {
            throw new OutOfSpaceException(
                    "cannot reserve "
                            + size
                            + " bytes of huge pages in "
                            + directory
                            + " ("
                            + e.getMessage()
                            + "); lower the capacity or raise vm.nr_hugepages",
                    e);
        }
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

    private int randomIncarnation() {
        int incarnation;
        do {
            incarnation = random.nextInt();
        } while (incarnation == 0);
        return incarnation;
    }

    private UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private static void removeQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("Cannot remove unfinished segment file {}: {}", file, e.toString());
        }
    }

    private CrailException failed(String what, IOException e) {
        if (e instanceof CrailException known) {
            return known;
        }
        long usable = -1;
        try {
            usable = space.usableBytes(directory);
        } catch (IOException suppressed) {
            e.addSuppressed(suppressed);
        }
        if (usable >= 0 && usable < FILL_STEP) {
            return new OutOfSpaceException(
                    what + ": " + directory + " is full; lower the capacity or enlarge it", e);
        }
        return new InternalException(what + ": " + e.getMessage(), e);
    }
}
