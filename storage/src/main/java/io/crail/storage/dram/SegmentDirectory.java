// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.dram;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.StorageKeys;
import io.crail.protocol.hugepages.HugePageMount;
import io.crail.protocol.segment.SegmentPlace;
import io.crail.storage.directory.DirectoryLock;
import io.crail.storage.directory.PrivateDirectory;
import io.crail.storage.segment.FreeSpace;
import io.crail.storage.segment.HugePageSpace;
import io.crail.storage.spi.TierContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a server's segment files are: in its own directory, or in huge pages, in a directory that
 * is its own, too, by user and place of the server's directory. The latter has a lock of its own:
 * containers that share a hugetlbfs may each have a server in a directory of the same name.
 *
 * <p>A server whose segments would be left behind, because they are elsewhere than they shall be,
 * does not start: its data would be lost, and their memory held for ever.
 *
 * @param path where the files are, absolute
 * @param segmentSize bytes of data of a new segment
 * @param space tells how much fits
 * @param lock of the directory, if it is not the server's own
 */
record SegmentDirectory(Path path, long segmentSize, FreeSpace space, Optional<DirectoryLock> lock)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentDirectory.class);

    /**
     * The directory that a context asks for, made if need be.
     *
     * @throws InvalidArgumentException if there are segments in another place, if huge pages are
     *     wanted where there are none, or if no segment fits into them
     */
    static SegmentDirectory open(TierContext context) throws CrailException {
        String wanted = context.options().get(DramTierProvider.HUGE_PAGES);
        try {
            Path own = context.directory().toRealPath(); // However it was written this time.
            return wanted == null
                    ? ordinary(context, own)
                    : inHugePages(context, own, HugePageMount.of(Path.of(wanted)));
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new InternalException("cannot open the directory of segments: " + e, e);
        }
    }

    private static SegmentDirectory ordinary(TierContext context, Path own) throws IOException {
        SegmentPlace place = new SegmentPlace(own);
        Optional<Path> before = place.elsewhere();
        if (before.isPresent()) {
            refuseSegmentsIn(before.get(), own);
        }
        place.clear();
        return new SegmentDirectory(
                own, context.segmentSize(), FreeSpace.OF_FILE_SYSTEM, Optional.empty());
    }

    private static SegmentDirectory inHugePages(TierContext context, Path own, HugePageMount mount)
            throws IOException {
        Path path = mount.directory().toRealPath().resolve(nameOf(own));
        SegmentPlace place = new SegmentPlace(own);
        Path before = place.elsewhere().orElse(own);
        if (!before.equals(path)) {
            refuseSegmentsIn(before, path);
        }
        long size = mount.segmentSize(context.segmentSize(), context.capacity());
        if (size != context.segmentSize()) {
            LOG.info(
                    "Segments of {} instead of {}, to fill {}",
                    new ByteSize(size),
                    new ByteSize(context.segmentSize()),
                    mount.pages());
        }
        PrivateDirectory.make(path);
        DirectoryLock lock = DirectoryLock.take(path);
        try {
            place.put(path); // Before the first page: who removes the server must find them.
        } catch (IOException e) {
            lock.close();
            throw e;
        }
        LOG.info("Segments are in {} in {}", mount.pages(), path);
        return new SegmentDirectory(path, size, new HugePageSpace(mount), Optional.of(lock));
    }

    private static void refuseSegmentsIn(Path before, Path now) throws IOException {
        if (SegmentPlace.hasSegments(before)) {
            throw new InvalidArgumentException(
                    "the segments of this server are in "
                            + before
                            + ", and shall be in "
                            + now
                            + "; set "
                            + StorageKeys.HUGE_PAGES
                            + " as it was, or discard their data with --format");
        }
    }

    /** A name that no other server of this machine has, and an operator recognises. */
    private static String nameOf(Path own) throws CrailException {
        CRC32C place = new CRC32C();
        place.update(own.toString().getBytes(StandardCharsets.UTF_8));
        return String.format(
                "crail-%s-%s-%08x", PrivateDirectory.userId(), own.getFileName(), place.getValue());
    }

    @Override
    public void close() {
        lock.ifPresent(DirectoryLock::close);
    }
}
