// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * What a writer reports of a block it filled. In a commit the first item may name the last block of
 * the committed length so far: it then states that block's new, larger length.
 *
 * @param block the granted block
 * @param length bytes in use from its start, 1 .. block length
 * @param tailCrc see {@link Extent#tailCrc}
 * @param generation under which the bytes were written: a block that its server has lost and that
 *     was granted anew at the same place is another one
 */
public record CommittedExtent(BlockId block, int length, int tailCrc, long generation) {
    public static final int WIRE_SIZE = BlockId.WIRE_SIZE + 16;

    /** What was written through a reference. */
    public CommittedExtent(BlockReference block, int length, int tailCrc) {
        this(block.id(), length, tailCrc, block.generation());
    }

    public void encode(WireWriter writer) {
        block.encode(writer);
        writer.i32(length).i32(tailCrc).i64(generation);
    }

    public static CommittedExtent decode(WireReader reader) throws ProtocolException {
        BlockId block = BlockId.decode(reader);
        int length = reader.length32();
        if (length < 1 || length > BlockGeometry.MAX_BLOCK) {
            throw new ProtocolException("committed length " + length + " of a block");
        }
        return new CommittedExtent(block, length, reader.i32(), reader.i64());
    }
}
