// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Counters of the namenode, for df and status. */
public final class Statistics {
    private Statistics() {}

    /**
     * Bytes of blocks by state.
     *
     * @param storageClass the class
     * @param capacity all of the following together
     * @param free free, whether cut or not
     * @param granted granted and not yet committed
     * @param committed part of a node
     * @param revoking freed, not yet reported safe by the server
     * @param quarantined pinned or not provably fenced
     * @param lost generation or server gone
     */
    public record Capacity(
            int storageClass,
            long capacity,
            long free,
            long granted,
            long committed,
            long revoking,
            long quarantined,
            long lost) {
        public void encode(WireWriter writer) {
            writer.u8(storageClass);
            writer.i64(capacity);
            writer.i64(free);
            writer.i64(granted);
            writer.i64(committed);
            writer.i64(revoking);
            writer.i64(quarantined);
            writer.i64(lost);
        }

        public static Capacity decode(WireReader reader) throws ProtocolException {
            return new Capacity(
                    reader.u8(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64());
        }
    }

    /**
     * One server.
     *
     * @param id server id
     * @param state a code of {@link ServerState}
     * @param host its name
     * @param storageClass its class
     * @param capacity bytes it has registered
     * @param free bytes free
     * @param lostBlocks committed blocks of this server that are lost or out of reach
     * @param silentMillis since its last heartbeat
     */
    public record ServerCapacity(
            int id,
            int state,
            String host,
            int storageClass,
            long capacity,
            long free,
            long lostBlocks,
            long silentMillis) {
        public void encode(WireWriter writer) {
            writer.i32(id);
            writer.u8(state);
            writer.string(host);
            writer.u8(storageClass);
            writer.i64(capacity);
            writer.i64(free);
            writer.i64(lostBlocks);
            writer.i64(silentMillis);
        }

        public static ServerCapacity decode(WireReader reader) throws ProtocolException {
            return new ServerCapacity(
                    reader.i32(),
                    reader.u8(),
                    reader.string(Names.MAX_NAME),
                    reader.u8(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64());
        }
    }

    /** Request 81. */
    public record Request() implements Message {
        @Override
        public MessageType type() {
            return MessageType.STATISTICS;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Request decode(WireReader reader) {
            return new Request();
        }
    }

    /**
     * Reply 81.
     *
     * @param epoch epoch of this life
     * @param uptimeMillis time since start
     * @param directories DIRECTORY nodes
     * @param files FILE nodes
     * @param tables TABLE nodes
     * @param keyValues KEYVALUE nodes
     * @param sessions live sessions
     * @param logPosition sequence number of the last log record
     * @param snapshotPosition last record that the newest snapshot holds
     * @param inlineBytes memory used by inline values
     * @param inlineLimit limit of it
     * @param readOnly mutations are refused
     * @param classes one per storage class
     * @param servers one per server
     */
    public record Reply(
            long epoch,
            long uptimeMillis,
            long directories,
            long files,
            long tables,
            long keyValues,
            long sessions,
            long logPosition,
            long snapshotPosition,
            long inlineBytes,
            long inlineLimit,
            boolean readOnly,
            List<Capacity> classes,
            List<ServerCapacity> servers)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.STATISTICS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(epoch);
            writer.i64(uptimeMillis);
            writer.i64(directories);
            writer.i64(files);
            writer.i64(tables);
            writer.i64(keyValues);
            writer.i64(sessions);
            writer.i64(logPosition);
            writer.i64(snapshotPosition);
            writer.i64(inlineBytes);
            writer.i64(inlineLimit);
            writer.bool(readOnly);
            Fields.records(writer, classes, Capacity::encode);
            Fields.records(writer, servers, ServerCapacity::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.bool(),
                    Fields.records(reader, Capacity::decode),
                    Fields.records(reader, ServerCapacity::decode));
        }
    }
}
