// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * A run of a node's bytes that lies in one block. On the wire: u64 offset, u32 length, u32 tail
 * CRC, u8 layout kind, u8 count of references, u8[6] zero, then the references; 72 bytes with one.
 *
 * @param offset position in the node
 * @param length bytes of the block in use; may be less than the block holds
 * @param tailCrc CRC32C, unsalted, of the last chunk's used bytes if {@code length} is not a
 *     multiple of the chunk size, else 0
 * @param block where the bytes are
 */
public record Extent(long offset, int length, int tailCrc, BlockReference block) {
    /** The only layout kind so far: one reference. Replicas and erasure codes come later. */
    public static final int LAYOUT_SINGLE = 1;

    public static final int WIRE_SIZE = 24 + BlockReference.WIRE_SIZE;

    public long end() {
        return offset + length;
    }

    public void encode(WireWriter writer) {
        writer.i64(offset).i32(length).i32(tailCrc).u8(LAYOUT_SINGLE).u8(1).u16(0).i32(0);
        block.encode(writer);
    }

    public static Extent decode(WireReader reader) throws ProtocolException {
        long offset = reader.length64();
        int length = reader.length32();
        int tailCrc = reader.i32();
        int layout = reader.u8();
        int references = reader.u8();
        if (layout != LAYOUT_SINGLE || references != 1) {
            throw new ProtocolException(
                    "extent layout " + layout + " with " + references + " references is not known");
        }
        reader.u16();
        reader.i32();
        BlockReference block = BlockReference.decode(reader);
        if (length > block.length()) {
            throw new ProtocolException("extent of " + length + " bytes in " + block);
        }
        if (offset > Long.MAX_VALUE - length) {
            throw new ProtocolException(
                    "extent of " + length + " bytes at offset " + offset + " has no end");
        }
        return new Extent(offset, length, tailCrc, block);
    }
}
