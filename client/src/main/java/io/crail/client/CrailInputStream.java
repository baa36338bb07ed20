// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Reads a FILE from its start to the length it had when it was opened or last refreshed, with
 * read-ahead. Not thread-safe; several streams of one file may be used by several threads.
 */
public abstract class CrailInputStream extends InputStream {
    CrailInputStream() {}

    @Override
    public abstract int read() throws CrailException;

    @Override
    public abstract int read(byte[] target, int offset, int length) throws CrailException;

    /**
     * Reads up to the remaining bytes of the target; fewer only when the end is near.
     *
     * @return bytes read, -1 at the end
     */
    public abstract int read(ByteBuffer target) throws CrailException;

    /** Position of the next byte. */
    public abstract long position();

    /**
     * Moves to a position.
     *
     * @throws java.io.EOFException if it lies behind the end
     */
    public abstract void seek(long position) throws IOException;

    @Override
    public abstract long skip(long bytes) throws CrailException;

    /** Bytes that can be read without waiting. */
    @Override
    public abstract int available() throws CrailException;

    @Override
    public abstract void close() throws CrailException;
}
