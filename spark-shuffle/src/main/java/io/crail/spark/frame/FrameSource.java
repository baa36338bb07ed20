// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.frame;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Has the bytes of a stream of frames. */
public interface FrameSource {
    /** Bytes that are left of the stream. */
    long left();

    /**
     * Reads bytes of the stream.
     *
     * @return number of bytes, at least 1; -1 at the end of the stream
     */
    int read(byte[] target, int offset, int length) throws IOException;

    /**
     * A buffer that has the next bytes of the stream from its position on; it is not to be changed,
     * and good until the next call.
     *
     * @param length bytes, at most those that are left
     * @return null if they are not all in one buffer
     */
    @Nullable ByteBuffer peek(int length) throws IOException;

    /** Goes past bytes that were found by {@link #peek}. */
    void skip(int length);

    /** The error of a stream whose frames are wrong; to be thrown at once. */
    RuntimeException corrupt(String what) throws IOException;
}
