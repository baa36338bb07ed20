// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * What the namenode knows of blocks and of who holds them, page by page, so that it can be checked.
 */
public final class Audit {
    /** Part: the blocks of a server that are not free, and its counters. */
    public static final int BLOCKS = 1;

    /** Part: the extents of nodes. */
    public static final int NODES = 2;

    /** Part: the extents of removed nodes that are being taken apart. */
    public static final int REMOVED = 3;

    /** Part: the blocks granted to sessions, and to their leases. */
    public static final int GRANTS = 4;

    /** Part: the sums that containers keep of what lies below them. */
    public static final int TOTALS = 5;

    /** Part: all of a server's memory, to be compared with what the server says of it. */
    public static final int MEMORY = 6;

    /** A reply has no more claims than this. */
    public static final int MAX_CLAIMS = 2000;

    /** A reply has no more problems and mistakes than this. */
    public static final int MAX_PROBLEMS = 32;

    /** State of memory, in part {@link #MEMORY} only: free, whatever it was cut into. */
    public static final int FREE = 0;

    /** State of a block: granted and not yet committed. */
    public static final int GRANTED = 1;

    /** State of a block: part of a node. */
    public static final int COMMITTED = 2;

    /** State of a block: freed, its server has yet to say that nobody can touch it. */
    public static final int REVOKING = 3;

    /** State of a block: freed, and pinned. */
    public static final int QUARANTINED = 4;

    /** State of a block: used up. */
    public static final int RETIRED = 5;

    /** State of slots, in part {@link #MEMORY} only: they belong to the block in front of them. */
    public static final int INSIDE = 6;

    /**
     * State of a block, in part {@link #MEMORY} only: in use, and its bytes are known to be lost,
     * because its server has reported another generation.
     */
    public static final int LOST = 7;

    private Audit() {}

    /**
     * Where a page begins.
     *
     * @param from segment and slab, slice of the nodes, node, or session: see docs/protocol.md
     * @param owner within it: holders below this have been answered
     * @param offset within what this holder holds: everything below has been answered
     */
    public record Position(long from, long owner, long offset) {
        public static final Position START = new Position(0, 0, 0);

        public static Position of(long from) {
            return new Position(from, 0, 0);
        }

        void encode(WireWriter writer) {
            writer.i64(from).i64(owner).i64(offset);
        }

        static Position decode(WireReader reader) throws ProtocolException {
            return new Position(reader.length64(), reader.i64(), reader.i64());
        }
    }

    /**
     * A block, or somebody's claim to one. 40 bytes on the wire.
     *
     * @param owner id of the node or session, 0 in part {@link #BLOCKS}
     * @param offset of the extent in its node; of a grant, segment and record
     * @param segment its segment
     * @param record index of its record
     * @param length its size in bytes
     * @param generation its generation
     * @param state 1 granted, 2 committed, 3 revoking, 4 quarantined, 5 retired; in part {@link
     *     #MEMORY} also 0 free, 6 inside and 7 lost, where length covers slots of one generation
     */
    public record Claim(
            long owner,
            long offset,
            long generation,
            int segment,
            int record,
            int length,
            int state) {
        public static final int WIRE_SIZE = 40;

        public void encode(WireWriter writer) {
            writer.i64(owner).i64(offset).i64(generation);
            writer.i32(segment).i32(record).i32(length).u8(state).u8(0).u16(0);
        }

        public static Claim decode(WireReader reader) throws ProtocolException {
            return new Claim(
                    reader.i64(),
                    reader.i64(),
                    reader.i64(),
                    reader.length32(),
                    reader.length32(),
                    reader.length32(),
                    reader.u8());
        }
    }

    /**
     * A claim that is not as it should be.
     *
     * @param owner id of the node or session
     * @param path path of the node, "" for a session
     * @param lost true: server or bytes are gone; false: the block is in another state than it
     *     should
     * @param block the block
     * @param generation its generation
     * @param offset of the extent in its node
     * @param length bytes of the node that it holds
     */
    public record Problem(
            long owner,
            String path,
            boolean lost,
            BlockId block,
            long generation,
            long offset,
            int length) {
        public void encode(WireWriter writer) {
            writer.i64(owner).string(path).bool(lost);
            block.encode(writer);
            writer.i64(generation).i64(offset).i32(length);
        }

        public static Problem decode(WireReader reader) throws ProtocolException {
            return new Problem(
                    reader.i64(),
                    reader.string(Names.MAX_PATH),
                    reader.bool(),
                    BlockId.decode(reader),
                    reader.i64(),
                    reader.length64(),
                    reader.length32());
        }
    }

    /**
     * A sum that is wrong.
     *
     * @param container id of the container
     * @param path its path
     * @param counter 0 directories, 1 files, 2 tables, 3 values, 4 length, 5 bytes of blocks
     * @param storageClass of which class, for bytes of blocks
     * @param kept what the container has kept
     * @param found the sum over what is in it
     */
    public record Mistake(
            long container, String path, int counter, int storageClass, long kept, long found) {
        public void encode(WireWriter writer) {
            writer.i64(container).string(path).u8(counter).u8(storageClass).i64(kept).i64(found);
        }

        public static Mistake decode(WireReader reader) throws ProtocolException {
            return new Mistake(
                    reader.i64(),
                    reader.string(Names.MAX_PATH),
                    reader.u8(),
                    reader.u8(),
                    reader.i64(),
                    reader.i64());
        }
    }

    /**
     * Request 85.
     *
     * @param server whose blocks; 0 in parts of nodes: problems of all servers, and no claims
     * @param part which part
     * @param position {@link Position#START}, then {@code next} of the last reply
     */
    public record Request(int server, int part, Position position) implements Message {
        @Override
        public MessageType type() {
            return MessageType.AUDIT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server).u8(part);
            position.encode(writer);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i32(), reader.u8(), Position.decode(reader));
        }
    }

    /**
     * Reply 85.
     *
     * @param end whether this was the last page of the part
     * @param next where the next page begins
     * @param looks nodes, blocks and extents that were looked at
     * @param claims the blocks, or who holds them
     * @param problems claims that are not as they should be
     * @param mistakes sums that are wrong
     * @param kept on the last page of {@link #BLOCKS}: bytes of the server that are free, granted,
     *     committed, revoking, quarantined and retired, as they are kept
     * @param found the same, counted anew; empty if the count was disturbed and must be repeated
     * @param permit lets the asking session ask the server itself ({@link AuditSegment}); a secret.
     *     0 if the request named no server
     */
    public record Reply(
            boolean end,
            Position next,
            int looks,
            List<Claim> claims,
            List<Problem> problems,
            List<Mistake> mistakes,
            long[] kept,
            long[] found,
            long permit)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.AUDIT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bool(end);
            next.encode(writer);
            writer.i32(looks);
            Fields.list(writer, claims, Claim.WIRE_SIZE, Claim::encode);
            Fields.records(writer, problems, Problem::encode);
            Fields.records(writer, mistakes, Mistake::encode);
            Fields.longs(writer, kept);
            Fields.longs(writer, found);
            writer.i64(permit);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.bool(),
                    Position.decode(reader),
                    reader.length32(),
                    Fields.list(reader, Claim.WIRE_SIZE, Claim::decode),
                    Fields.records(reader, Problem::decode),
                    Fields.records(reader, Mistake::decode),
                    Fields.longs(reader),
                    Fields.longs(reader),
                    reader.i64());
        }
    }
}
