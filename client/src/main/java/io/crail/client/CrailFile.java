// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A FILE open for reading. Thread-safe. It stays readable when it is removed or replaced, until it
 * is closed, the session ends, or the namenode's retention limit passes.
 *
 * <p>Every byte is verified against its checksum before it is handed out, unless the file keeps
 * none. Direct target buffers are filled without a copy where alignment permits.
 */
public interface CrailFile extends AutoCloseable {
    /**
     * One piece of a vectored read.
     *
     * @param position first byte in the file
     * @param target filled from its position to its limit; its position moves to the limit
     */
    record Range(long position, ByteBuffer target) {}

    /** Path the file was opened by; {@code node} and the number of one that was opened by id. */
    String path();

    /** Attributes when it was opened or last refreshed. */
    NodeStatus status();

    /** Length when it was opened or last refreshed. */
    long length();

    /**
     * Reads at a position into the remaining bytes of the target; fewer only at the end of the
     * file.
     *
     * @return bytes read, -1 at or behind the end
     */
    int read(long position, ByteBuffer target) throws CrailException;

    /** As {@link #read}; the target belongs to the client until the future is done. */
    CrailFuture<Integer> readAsync(long position, ByteBuffer target);

    /**
     * Fills the target.
     *
     * @throws java.io.EOFException if the file ends before
     */
    void readFully(long position, ByteBuffer target) throws IOException;

    /**
     * Fills the targets, all in parallel.
     *
     * @throws java.io.EOFException if the file ends before one of them is full
     */
    void readVectored(List<Range> ranges) throws IOException;

    CrailFuture<Void> readVectoredAsync(List<Range> ranges);

    /**
     * Opens bytes to be looked at in place; see {@link CrailView}, which the caller closes.
     *
     * @throws io.crail.error.OffsetOutOfRangeException if the file ends before
     * @throws io.crail.error.BusyException if open views hold too many blocks already
     */
    default CrailView view(long position, long length) throws CrailException {
        return view(position, length, true);
    }

    /**
     * As {@link #view(long, long)}.
     *
     * @param verify whether to compare checksums first, which looks at all bytes once
     */
    CrailView view(long position, long length, boolean verify) throws CrailException;

    /**
     * As {@link #view(long, long)}, of as many bytes as the buffer has room for. What cannot be
     * looked at in place comes there, each byte to its place, instead of to memory of the view.
     * Beyond the memory of storage servers of this host, that is what their flash is read into,
     * which they share with this client: some of it is lent, and bytes that are looked at there
     * need not be copied. Give such views back in the order in which they were asked for, before
     * long: what they hold is copied for others meanwhile.
     *
     * @param spare direct; position and limit stay where they are. Belongs to the view from now on
     *     until that is closed, or the future has failed or was cancelled; from when the view is
     *     there it is of no use to it if {@link CrailView#isZeroCopy}
     */
    CrailFuture<CrailView> viewAsync(long position, ByteBuffer spare);

    /**
     * As {@link #view(long, long)}, if that can be done at once: every byte is memory of this host
     * that is mapped, the references are known and good, and open views hold few enough blocks.
     * Otherwise nothing is done. Nobody is asked, nothing is waited for, and nothing is copied; the
     * checksums are compared in the calling thread, so one that is about to use the bytes finds
     * them in its cache.
     *
     * @return empty for whatever reason, an error among them: {@link #view} or {@link #read} does
     *     it, or finds out what is wrong
     */
    Optional<CrailView> tryView(long position, long length);

    /**
     * The CRC32C of the beginning of the file, as {@link java.util.zip.CRC32C} computes it from the
     * bytes. It is put together from the checksums that the writer stored with its bytes, so that
     * only these are fetched: a thousandth of the file. That the bytes still match them is what
     * reading finds out. Of a file that keeps no checksums all bytes are read.
     *
     * @param length so many bytes, or as many as there are when it was opened or last refreshed
     */
    long checksum(long length) throws CrailException;

    CrailFuture<Long> checksumAsync(long length);

    /** A stream over the file from its start; closing it leaves this handle open. */
    CrailInputStream newInputStream();

    /** Fetches the attributes, the length among them, again. */
    NodeStatus refresh() throws CrailException;

    CrailFuture<NodeStatus> refreshAsync();

    /**
     * Waits until the file is longer than {@code known}, its writer has closed it, or the time is
     * over, whichever comes first, and refreshes.
     *
     * @return attributes then
     */
    NodeStatus awaitLength(long known, Duration atMost) throws CrailException;

    CrailFuture<NodeStatus> awaitLengthAsync(long known, Duration atMost);

    /**
     * How many bytes of a range come from memory of this host, which is mapped, not from over a
     * network. It is told by where bytes were read from through this handle so far: asks nobody,
     * and what has not been read counts as far away.
     *
     * @param position first byte of the range
     * @param length bytes; those behind the end of the file do not count
     */
    long bytesOnThisHost(long position, long length);

    /**
     * How many bytes of a range {@link #viewAsync} may find lent by storage servers of this host
     * that have to read them first. Told as {@link #bytesOnThisHost}, of which none counts.
     *
     * @param position first byte of the range
     * @param length bytes; those behind the end of the file do not count
     */
    long bytesReadOnThisHost(long position, long length);

    /** Where its bytes lie, in order. */
    List<BlockLocation> locations() throws CrailException;

    /** A view of this handle whose calls have another deadline. */
    CrailFile withDeadline(Duration deadline);

    /** Releases the handle; the namenode is told with the next keep-alive. Idempotent. */
    @Override
    void close();
}
