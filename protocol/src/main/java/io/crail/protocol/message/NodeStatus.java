// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.NodeType;

/**
 * The attributes of a node, as every answer about a node carries them. A length-prefixed record:
 *
 * <pre>
 *  0 u64 id            8 u8 type       9 u8 flags    10 u16 mode    12 u8 storage class  13 u8[3] zero
 * 16 u64 length       24 u64 allocated              32 i64 mtime   40 i64 atime         48 i64 ctime
 * 56 u64 version      64 i64 remaining life in ms   72 u64 children
 * 80 string owner, string group, string location class
 * </pre>
 *
 * @param id never reused; the upper 16 bits are the shard
 * @param length committed length in bytes; 0 for containers
 * @param allocated bytes of blocks held (containers: of everything below)
 * @param modifiedMillis times are milliseconds since 1970 UTC by the namenode's clock
 * @param version changes with every commit; for KEYVALUE the version of the value
 * @param remainingMillis time left to live, or -1 without an end
 * @param children entries of a container, else 0
 */
public record NodeStatus(
        long id,
        NodeType type,
        int flags,
        int mode,
        int storageClass,
        long length,
        long allocated,
        long modifiedMillis,
        long accessedMillis,
        long createdMillis,
        long version,
        long remainingMillis,
        long children,
        String owner,
        String group,
        String locationClass) {
    /** A writer holds the lease of this FILE. */
    public static final int OPEN_FOR_WRITING = 1;

    /** Chunk checksums are kept and verified. */
    public static final int CHECKSUMS = 2;

    /** Vanishes with the session that created it. */
    public static final int SESSION_BOUND = 4;

    /** No longer has a name; lives until its last handle is closed. */
    public static final int UNLINKED = 8;

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    public void encode(WireWriter writer) {
        int mark = writer.beginRecord();
        writer.i64(id).u8(type.wire()).u8(flags).u16(mode).i32(storageClass);
        writer.i64(length).i64(allocated);
        writer.i64(modifiedMillis).i64(accessedMillis).i64(createdMillis);
        writer.i64(version).i64(remainingMillis).i64(children);
        writer.string(owner).string(group).string(locationClass);
        writer.endRecord(mark);
    }

    public static NodeStatus decode(WireReader reader) throws ProtocolException {
        int end = reader.beginRecord();
        NodeStatus status =
                new NodeStatus(
                        reader.i64(),
                        NodeType.ofWire(reader.u8()),
                        reader.u8(),
                        reader.u16(),
                        reader.i32() & 0xFF,
                        reader.length64(),
                        reader.length64(),
                        reader.i64(),
                        reader.i64(),
                        reader.i64(),
                        reader.i64(),
                        reader.i64(),
                        reader.length64(),
                        reader.string(Names.MAX_NAME),
                        reader.string(Names.MAX_NAME),
                        reader.string(Names.MAX_NAME));
        reader.endRecord(end);
        return status;
    }
}
