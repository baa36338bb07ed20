// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * All that a client needs to move the bytes of one block, except where the server is: server ids
 * are resolved by the server table. 48 bytes on the wire:
 *
 * <pre>
 *  0 u32 server id       4 u32 segment          8 u64 offset of the block in its segment
 * 16 u32 block length   20 u32 record index    24 u64 generation
 * 32 u64 access key     40 u8  rights          41 u8[7] zero
 * </pre>
 *
 * @param server id of the storage server, never reused
 * @param segment number of the segment on that server
 * @param offset byte offset of the block in the segment's data
 * @param length size of the block in bytes, a power of two from 4 KiB to 1 MiB
 * @param record index of the block's metadata record in the segment's control area
 * @param generation what the record's generation word must hold while this reference is good
 * @param key seal over all other fields and the session it was granted to ({@link GrantSeal})
 * @param rights {@link #READ}, {@link #WRITE} or both
 */
public record BlockReference(
        int server,
        int segment,
        long offset,
        int length,
        int record,
        long generation,
        long key,
        int rights) {
    public static final int WIRE_SIZE = 48;
    public static final int READ = 1;
    public static final int WRITE = 2;

    /**
     * In place of rights: the block is lost (its server is dead, or came back with other memory).
     * Reading it fails with {@code ServerLost} without asking anybody.
     */
    public static final int LOST = 4;

    public void encode(WireWriter writer) {
        writer.i32(server)
                .i32(segment)
                .i64(offset)
                .i32(length)
                .i32(record)
                .i64(generation)
                .i64(key)
                .i64(rights);
    }

    public static BlockReference decode(WireReader reader) throws ProtocolException {
        BlockReference reference =
                new BlockReference(
                        reader.i32(),
                        reader.length32(),
                        reader.length64(),
                        reader.length32(),
                        reader.length32(),
                        reader.i64(),
                        reader.i64(),
                        (int) reader.i64() & 0xFF);
        if (!BlockGeometry.isBlockSize(reference.length)) {
            throw new ProtocolException("block of " + reference.length + " bytes");
        }
        if ((reference.offset & (BlockGeometry.SLOT_SIZE - 1)) != 0) {
            throw new ProtocolException("block offset " + reference.offset + " is not aligned");
        }
        return reference;
    }

    /** The block without grant: what commits and releases name. */
    public BlockId id() {
        return new BlockId(server, segment, record);
    }

    /** The blocks of these references, in their order. */
    public static List<BlockId> ids(List<BlockReference> references) {
        if (references.isEmpty()) {
            return List.of();
        }
        List<BlockId> ids = new ArrayList<>(references.size());
        for (BlockReference reference : references) {
            ids.add(reference.id());
        }
        return ids;
    }

    @Override
    public String toString() {
        return "block "
                + server
                + "/"
                + segment
                + "/"
                + record
                + " ("
                + length
                + " B, generation "
                + Long.toHexString(generation)
                + ")";
    }
}
