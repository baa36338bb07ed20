// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * An open file of the metadata directory, with positional access only. Reads and writes may be
 * short, as those of the operating system. {@link #sync} may be called while another thread writes;
 * threads that write at once write to different ranges.
 */
public interface MetadataFile extends Closeable {
    Path path();

    /** Reads into {@code target}; returns the bytes read, or -1 at or behind the end. */
    int read(ByteBuffer target, long position) throws IOException;

    /** Writes from {@code source}; returns the bytes written, which may be fewer than given. */
    int write(ByteBuffer source, long position) throws IOException;

    /** Whether {@link #map} is supported. */
    default boolean isMappable() {
        return false;
    }

    /**
     * Memory that is the same as a range of the file, which must have been written before. Stores
     * and writes see each other, and {@link #sync} covers both. It is unmapped when it is collected
     * as garbage. An access behind the end of a file that was cut meanwhile is an {@link
     * InternalError}, thrown then or later.
     *
     * @param position a multiple of 4 KiB
     */
    default ByteBuffer map(long position, int length) throws IOException {
        throw new UnsupportedOperationException(path() + " cannot be mapped");
    }

    long size() throws IOException;

    void truncate(long size) throws IOException;

    /** Returns when everything written before the call is on stable storage. */
    void sync() throws IOException;
}
