// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.MultiPut;
import io.crail.protocol.node.Names;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Small values are swapped in, one after the other; some that were asked for are refused. Both are
 * in the record, because the answer is part of the change: a retry gets the same results.
 *
 * @param table TABLE
 * @param time milliseconds since 1970
 * @param items one for each entry of the request, in its order
 */
public record PutMany(long table, long time, List<PutMany.Item> items) implements Mutation {
    private static final byte[] NO_KEY = {};
    private static final ByteBuffer NO_VALUE = ByteBuffer.allocate(0).asReadOnlyBuffer();

    /** Bytes of an item in the log besides key and value. */
    private static final int ITEM_BYTES = 2 + 8;

    /**
     * A put value, or a refusal.
     *
     * @param status 0, or the error code of the refusal
     * @param version of the value; of a refusal what the answer says
     * @param key the key; empty in a refusal
     * @param node id of the value, 0 in a refusal
     * @param value the bytes; valid only during the call that made this object
     */
    public record Item(int status, long version, byte[] key, long node, ByteBuffer value) {
        public static Item put(long version, byte[] key, long node, ByteBuffer value) {
            return new Item(0, version, key, node, value);
        }

        public static Item refused(int status, long version) {
            return new Item(status, version, NO_KEY, 0, NO_VALUE);
        }

        private void encode(WireWriter writer) {
            writer.u16(status).i64(version);
            if (status == 0) {
                writer.bytes(key).i64(node).i32(value.remaining()).raw(value);
            }
        }

        private static Item decode(WireReader reader) throws ProtocolException {
            int status = reader.u16();
            long version = reader.i64();
            if (status != 0) {
                return refused(status, version);
            }
            byte[] key = reader.bytes(Names.MAX_KEY);
            return put(version, key, reader.i64(), reader.view(reader.length32()));
        }
    }

    static PutMany decode(WireReader reader) throws ProtocolException {
        return new PutMany(
                reader.i64(), reader.i64(), Lists.decode(reader, ITEM_BYTES, Item::decode));
    }

    @Override
    public int code() {
        return RecordType.MULTI_PUT.code();
    }

    @Override
    public int replyType() {
        return MessageType.MULTI_PUT.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(table).i64(time);
        Lists.encode(writer, items, Item::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        ContainerNode container = (ContainerNode) state.node(table);
        for (Item item : items) {
            if (item.status != 0) {
                continue;
            }
            long handle = state.allocateInline(item.value);
            KeyValueNode made =
                    state.tree()
                            .newInlineValue(
                                    item.node,
                                    container.attributes(),
                                    time,
                                    item.version,
                                    handle,
                                    item.value.remaining());
            state.swapValue(container, item.key, made);
            state.useNodeId(item.node);
            state.useVersion(item.version);
        }
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writeResults(writer);
    }

    /** The answer; it hangs on nothing else. */
    public void writeResults(WireWriter writer) {
        writer.u16(items.size()).u16(MultiPut.Result.WIRE_SIZE);
        for (Item item : items) {
            new MultiPut.Result(item.version, item.status).encode(writer);
        }
    }
}
