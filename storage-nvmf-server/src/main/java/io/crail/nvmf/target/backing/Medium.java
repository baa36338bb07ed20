// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Bytes at positions. Thread-safe; calls block, and concurrent calls for the same bytes have no
 * order. When a call has returned, normally or not, nothing of it happens any more.
 */
public interface Medium extends Closeable {
    /** Size, a multiple of the alignment. */
    long bytes();

    /** What positions, lengths and addresses must be multiples of; a power of two, 1 for none. */
    int alignment();

    /** Where it is, for messages. */
    String name();

    /**
     * The file whose bytes are those of the medium, if they may be read from there beside this, by
     * direct I/O in the same units; null if not.
     */
    default @Nullable Path directFile() {
        return null;
    }

    /** Fills {@code into} from its position to its limit. */
    void read(long position, ByteBuffer into) throws IOException;

    /**
     * Writes {@code from} from its position to its limit. Survives a crash of the host only after a
     * {@link #flush}.
     *
     * @throws NoSpaceException if the file system has no room for it
     */
    void write(long position, ByteBuffer from) throws IOException;

    /** Makes durable what was written by calls that had returned before this one began. */
    void flush() throws IOException;
}
