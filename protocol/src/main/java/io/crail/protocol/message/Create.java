// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.NodeType;
import java.util.HexFormat;
import java.util.List;

/** Makes a node; for a FILE optionally takes its lease and grants the first blocks. */
public final class Create {
    /** Replace an existing node of the same type (a container only if empty). */
    public static final int OVERWRITE = 1;

    /** Make missing parents as DIRECTORY. */
    public static final int PARENTS = 2;

    /** FILE: take the lease. */
    public static final int OPEN = 4;

    /** Bind the node's life to this session. */
    public static final int SESSION_BOUND = 8;

    /** Keep no checksums. */
    public static final int NO_CHECKSUMS = 16;

    /** An existing node of the same type is success (mkdir -p). */
    public static final int EXISTING_OK = 32;

    /**
     * The path is that of a MULTIFILE, and the namenode names the new member: see {@link
     * #generatedName}.
     */
    public static final int GENERATE_NAME = 64;

    /** Storage class: as the parent. */
    public static final int INHERIT = 0xFFFF;

    private Create() {}

    /** The name of a member made with GENERATE_NAME, from its node id. */
    public static String generatedName(long node) {
        return "part-" + HexFormat.of().toHexDigits(node);
    }

    /**
     * Request 33.
     *
     * @param path absolute path, UTF-8
     * @param nodeType DIRECTORY, FILE, MULTIFILE or TABLE (others later)
     * @param flags the constants of this class, or-ed
     * @param mode permission bits
     * @param storageClass 0..255, or INHERIT
     * @param lifetimeMillis time to live, -1 = none
     * @param bytesWanted with OPEN: bytes the first grant should hold, 0 = no grant yet
     * @param exact the wanted bytes are all there will be: grant blocks that fit tightly
     * @param owner "" = the session's user
     * @param group "" = the session's group
     * @param locationClass preferred place of its blocks, "" = the client's own
     */
    public record Request(
            byte[] path,
            NodeType nodeType,
            int flags,
            int mode,
            int storageClass,
            long lifetimeMillis,
            long bytesWanted,
            boolean exact,
            String owner,
            String group,
            String locationClass)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.CREATE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.u8(nodeType.wire());
            writer.u16(flags);
            writer.u16(mode);
            writer.u16(storageClass);
            writer.i64(lifetimeMillis);
            writer.i64(bytesWanted);
            writer.bool(exact);
            writer.string(owner);
            writer.string(group);
            writer.string(locationClass);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    NodeType.ofWire(reader.u8()),
                    reader.u16(),
                    reader.u16(),
                    reader.u16(),
                    reader.i64(),
                    reader.length64(),
                    reader.bool(),
                    reader.string(Names.MAX_NAME),
                    reader.string(Names.MAX_NAME),
                    reader.string(Names.MAX_NAME));
        }
    }

    /**
     * Reply 33.
     *
     * @param handle handle of the lease, 0 without OPEN
     * @param status attributes
     * @param grants blocks to write, in order
     */
    public record Reply(long handle, NodeStatus status, List<BlockReference> grants)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.CREATE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(handle);
            status.encode(writer);
            Fields.list(writer, grants, BlockReference.WIRE_SIZE, BlockReference::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i64(),
                    NodeStatus.decode(reader),
                    Fields.list(reader, BlockReference.WIRE_SIZE, BlockReference::decode));
        }
    }
}
