// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.hugepages;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.StorageKeys;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory on a mounted hugetlbfs, where segment files may be. Immutable.
 *
 * @param directory the directory
 * @param pageSize bytes of a page of this mount: files are mapped, and so made, in whole pages
 * @param root below which {@code proc} and {@code sys} are, {@code /} but in tests
 */
public record HugePageMount(Path directory, long pageSize, Path root) {
    private static final String TYPE = "hugetlbfs";

    /** Whether a file system of this type is one of huge pages. */
    public static boolean isHugePages(String fileSystemType) {
        return fileSystemType.equals(TYPE);
    }

    /**
     * The directory that {@link StorageKeys#HUGE_PAGES} names.
     *
     * @throws InvalidArgumentException if it is not there or not on a hugetlbfs
     * @throws AccessDeniedException if this process may not make files in it
     */
    public static HugePageMount of(Path directory) throws CrailException {
        FileStore store;
        long pageSize;
        try {
            store = Files.getFileStore(directory);
            pageSize = store.getBlockSize(); // statvfs: on hugetlbfs a block is a page
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    what(directory)
                            + ": no file system to be found there ("
                            + e
                            + "); "
                            + howToMount(directory),
                    e);
        }
        if (!isHugePages(store.type())) {
            throw new InvalidArgumentException(
                    what(directory)
                            + " is on "
                            + store.type()
                            + ", not on a hugetlbfs; "
                            + howToMount(directory));
        }
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new AccessDeniedException(
                    what(directory)
                            + " is no directory that user "
                            + System.getProperty("user.name")
                            + " may write; "
                            + howToBeAllowed());
        }
        return new HugePageMount(directory, pageSize, Path.of("/"));
    }

    private static String what(Path directory) {
        return StorageKeys.HUGE_PAGES + " = " + directory;
    }

    /** What to do where there is no hugetlbfs. */
    public static String howToMount(Path directory) {
        return "as root: mkdir -p "
                + directory
                + " && mount -t hugetlbfs -o pagesize=2M,uid=USER,mode=0700 none "
                + directory
                + "; or leave "
                + StorageKeys.HUGE_PAGES
                + " empty";
    }

    /** What to do where this process may not make files. */
    public static String howToBeAllowed() {
        return "mount it with -o uid=USER,mode=0700, or as root make a directory for this user below"
                + " it (install -d -m 0700 -o USER) and set "
                + StorageKeys.HUGE_PAGES
                + " to that";
    }

    /**
     * Bytes of data of new segments: the largest size, at most {@code wanted}, with which a file
     * with its header and control area fills whole pages; if there is none, as for pages of 1 GiB,
     * the smallest one above.
     *
     * @throws InvalidArgumentException if no segment fills whole pages, or the capacity holds none
     */
    public long segmentSize(long wanted, long capacity) throws InvalidArgumentException {
        long size = wanted / BlockGeometry.SLAB_SIZE * BlockGeometry.SLAB_SIZE;
        while (size > 0 && !fillsPages(size)) {
            size -= BlockGeometry.SLAB_SIZE;
        }
        if (size <= 0) {
            size = Math.max(BlockGeometry.SLAB_SIZE, wanted);
            while (size <= SegmentLayout.MAX_DATA && !fillsPages(size)) {
                size += BlockGeometry.SLAB_SIZE;
            }
        }
        if (size > SegmentLayout.MAX_DATA) {
            throw new InvalidArgumentException(
                    pages()
                            + " of "
                            + directory
                            + " are larger than the largest segment, "
                            + new ByteSize(SegmentLayout.MAX_DATA)
                            + "; mount a hugetlbfs with a smaller pagesize");
        }
        if (size > capacity) {
            throw new InvalidArgumentException(
                    StorageKeys.CAPACITY
                            + " = "
                            + new ByteSize(capacity)
                            + " is less than the smallest segment in "
                            + pages()
                            + " of "
                            + directory
                            + ", "
                            + new ByteSize(size)
                            + "; raise it, or mount a hugetlbfs with a smaller pagesize");
        }
        return size;
    }

    private boolean fillsPages(long dataBytes) {
        return SegmentLayout.fileSize(dataBytes) % pageSize == 0;
    }

    /** "pages of 2 MiB". */
    public String pages() {
        return "pages of " + new ByteSize(pageSize);
    }

    /** Number of pages that so many bytes of files fill. */
    public long pages(long bytes) {
        return (bytes + pageSize - 1) / pageSize;
    }

    /** Pages that new segments of {@code segmentSize} take, for as much of the capacity as fits. */
    public long pagesFor(long capacity, long segmentSize) {
        return capacity / segmentSize * pages(SegmentLayout.fileSize(segmentSize));
    }

    /**
     * What can be had at this moment.
     *
     * @throws IOException if the kernel does not tell
     */
    public HugePageRoom room() throws IOException {
        return HugePageRoom.of(
                root,
                pageSize,
                directory.toFile().getTotalSpace(),
                directory.toFile().getUsableSpace());
    }

    /** Says that pages are missing, and what to do. */
    public String shortage(long neededPages, HugePageRoom room) {
        return neededPages
                + " "
                + pages()
                + " ("
                + new ByteSize(neededPages * pageSize).rounded()
                + ") are needed in "
                + directory
                + ", and "
                + room.available()
                + " are free; "
                + room.remedy(directory, neededPages)
                + ", or lower "
                + StorageKeys.CAPACITY;
    }
}
