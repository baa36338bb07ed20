// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.frame;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the frames of a stream. */
public interface FrameSink {
    /**
     * A big-endian buffer that may be filled from its position, with room for a byte at least; good
     * until the next call.
     */
    ByteBuffer room() throws IOException;

    /** Takes bytes, into as many buffers as it needs. */
    void write(byte[] bytes, int offset, int length) throws IOException;
}
