// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.segment.SegmentHeader;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.protocol.segment.SegmentPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segment files of one directory, which the caller has locked.
 *
 * <p>Not thread-safe: one owned thread at a time. That thread must not be interrupted, because an
 * interrupt closes the channel it fills.
 */
public final class SegmentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentFiles.class);

    /** Less than this, and lack of space is the reason of a failure. */
    private static final long FULL = 1 << 20;

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
        try {
            return new NewSegmentFile(file, space).make(header, cancelled);
        } catch (IOException e) {
            throw failed("cannot make segment file " + file + " of " + size + " bytes", e);
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
            throw new OutOfSpaceException(shortage(bytes));
        }
    }

    private String shortage(long bytes) throws CrailException {
        try {
            return space.shortage(directory, bytes);
        } catch (IOException e) {
            throw failed("cannot tell the free space of " + directory, e);
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
        return SegmentPlace.segments(directory);
    }

    private Path file(int number) {
        return directory.resolve(SegmentLayout.fileName(number));
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
        if (usable >= 0 && usable < FULL) {
            return new OutOfSpaceException(
                    what + ": " + directory + " is full; lower the capacity or enlarge it", e);
        }
        return new InternalException(what + ": " + e.getMessage(), e);
    }
}
