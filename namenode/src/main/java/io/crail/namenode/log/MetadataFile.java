// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * An open file of the metadata directory, with positional access only. Reads and writes may be
 * short, as those of the operating system. One thread writes; {@link #sync} may be called by
 * another one meanwhile.
 */
public interface MetadataFile extends Closeable {
    Path path();

    /** Reads into {@code target}; returns the bytes read, or -1 at or behind the end. */
    int read(ByteBuffer target, long position) throws IOException;

    /** Writes from {@code source}; returns the bytes written, which may be fewer than given. */
    int write(ByteBuffer source, long position) throws IOException;

    long size() throws IOException;

    void truncate(long size) throws IOException;

    /** Returns when everything written before the call is on stable storage. */
    void sync() throws IOException;
}
