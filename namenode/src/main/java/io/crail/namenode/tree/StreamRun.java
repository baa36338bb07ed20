// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

/**
 * Records of a STREAM in a row: appended together to blocks, or small ones that were put together
 * inline.
 */
public final class StreamRun {
    final long first;
    final long position;
    final int blocks;
    int records;
    int bytes;
    long time;

    /** Handle of inline memory; {@link KeyValueNode#NOT_INLINE} for frames in blocks. */
    long handle;

    StreamRun(
            long first, long position, int records, int bytes, int blocks, long handle, long time) {
        assert (blocks == 0) == (handle != KeyValueNode.NOT_INLINE);
        this.first = first;
        this.position = position;
        this.records = records;
        this.bytes = bytes;
        this.blocks = blocks;
        this.handle = handle;
        this.time = time;
    }

    /** Offset of its first record. */
    public long first() {
        return first;
    }

    /** Offset of the record behind its last one. */
    public long end() {
        return first + records;
    }

    /** Where its first frame begins among all frames of the stream. */
    public long position() {
        return position;
    }

    public int records() {
        return records;
    }

    /** Bytes of its frames. */
    public int bytes() {
        return bytes;
    }

    /** Number of blocks that hold the frames; 0 if they are inline. */
    public int blocks() {
        return blocks;
    }

    public boolean isInline() {
        return blocks == 0;
    }

    public long handle() {
        return handle;
    }

    /** When its last record was appended, in milliseconds since 1970. */
    public long time() {
        return time;
    }
}
