// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * Names a block: server, segment, and the index of its first slot's record. 12 bytes on the wire.
 */
public record BlockId(int server, int segment, int record) {
    public static final int WIRE_SIZE = 12;

    /** 2^32 divided by the golden ratio. */
    private static final int SPREAD = 0x9E3779B9;

    /**
     * Records of large blocks are multiples of 256. Without the multiplication, which carries them
     * to the upper bits that a HashMap folds in, all blocks of a long file would share few buckets.
     */
    @Override
    public int hashCode() {
        return (31 * (31 * server + segment) + record) * SPREAD;
    }

    public void encode(WireWriter writer) {
        writer.i32(server).i32(segment).i32(record);
    }

    public static BlockId decode(WireReader reader) throws ProtocolException {
        return new BlockId(reader.i32(), reader.length32(), reader.length32());
    }
}
