// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads the members of a MULTIFILE piece by piece, with a window of pieces under way.
 *
 * <pre>{@code
 * while (reader.next()) {
 *     consume(reader.member().name(), reader.position(), reader.bytes());
 * }
 * }</pre>
 *
 * <p>Every byte of every member is handed out exactly once, after it was verified against its
 * checksum. Members without bytes are in {@link #members} only. A failed read fails the reader for
 * good. Calls exclude each other, but what a piece says is for one thread at a time.
 */
public interface CrailBatchReader extends AutoCloseable {
    /** The members that were opened, in order of their names. */
    List<MemberInfo> members();

    /** Bytes of all members together. */
    long length();

    /**
     * Goes on to the next piece; waits until there is one, within the deadline.
     *
     * @return false if all have been handed out
     */
    boolean next() throws CrailException;

    /**
     * The member that the piece belongs to.
     *
     * @throws IllegalStateException if there is no piece
     */
    MemberInfo member();

    /** Position of the piece in its member. */
    long position();

    /**
     * The bytes of the piece, at most 1 MiB: read-only memory of the client, which is good until
     * the next call of {@link #next} or {@link #close}.
     */
    ByteBuffer bytes();

    /** Drops what is under way and gives the members back. Idempotent. */
    @Override
    void close();
}
