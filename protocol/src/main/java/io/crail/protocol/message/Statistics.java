// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

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
     * @param granted bytes granted and not yet committed; this and what follows is 0 or empty if
     *     the namenode is older
     * @param committed bytes that are part of a node
     * @param revoking bytes freed, not yet reported safe
     * @param quarantined bytes pinned or not provably fenced
     * @param lost bytes whose generation is gone
     * @param software version of its software, empty if it has not registered in this life of the
     *     namenode
     * @param statusUrl where it shows its status over HTTP, empty if it does not or was not heard
     */
    public record ServerCapacity(
            int id,
            int state,
            String host,
            int storageClass,
            long capacity,
            long free,
            long lostBlocks,
            long silentMillis,
            long granted,
            long committed,
            long revoking,
            long quarantined,
            long lost,
            String software,
            String statusUrl) {
        public void encode(WireWriter writer) {
            writer.i32(id);
            writer.u8(state);
            writer.string(host);
            writer.u8(storageClass);
            writer.i64(capacity);
            writer.i64(free);
            writer.i64(lostBlocks);
            writer.i64(silentMillis);
            writer.i64(granted);
            writer.i64(committed);
            writer.i64(revoking);
            writer.i64(quarantined);
            writer.i64(lost);
            writer.string(software);
            writer.string(statusUrl);
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
                    reader.length64(),
                    appendedLength(reader),
                    appendedLength(reader),
                    appendedLength(reader),
                    appendedLength(reader),
                    appendedLength(reader),
                    appendedString(reader),
                    appendedString(reader));
        }
    }

    private static long appendedLength(WireReader reader) throws ProtocolException {
        return reader.remaining() > 0 ? reader.length64() : 0;
    }

    private static String appendedString(WireReader reader) throws ProtocolException {
        return reader.remaining() > 0 ? reader.string(Names.MAX_NAME) : "";
    }

    /**
     * Request 81.
     *
     * @param fromServer id of the first server to tell of; 0 = the first of all
     */
    public record Request(int fromServer) implements Message {
        /** Asks for the first page. */
        public Request() {
            this(0);
        }

        @Override
        public MessageType type() {
            return MessageType.STATISTICS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(fromServer);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.remaining() > 0 ? reader.i32() : 0);
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
     * @param servers one per server, in order of their ids, as many as fit
     * @param cluster id of the cluster, zeros if the namenode is older, as are 0 and empty in what
     *     follows
     * @param nowMillis wall clock of the namenode, milliseconds since 1970
     * @param handles open handles of all sessions
     * @param logBytes of the log that a restart would replay from its current file
     * @param software version of the namenode's software
     * @param statusUrl where the namenode shows its status over HTTP, empty if it does not
     * @param nextServer what to ask from for the servers that did not fit; 0 = none is left
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
            List<ServerCapacity> servers,
            UUID cluster,
            long nowMillis,
            long handles,
            long logBytes,
            String software,
            String statusUrl,
            int nextServer)
            implements Message {
        /** These counters, with the servers of this page and of the one behind it. */
        public Reply and(Reply next) {
            List<ServerCapacity> all = new ArrayList<>(servers);
            all.addAll(next.servers);
            return new Reply(
                    epoch,
                    uptimeMillis,
                    directories,
                    files,
                    tables,
                    keyValues,
                    sessions,
                    logPosition,
                    snapshotPosition,
                    inlineBytes,
                    inlineLimit,
                    readOnly,
                    classes,
                    List.copyOf(all),
                    cluster,
                    nowMillis,
                    handles,
                    logBytes,
                    software,
                    statusUrl,
                    next.nextServer);
        }

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
            Fields.uuid(writer, cluster);
            writer.i64(nowMillis);
            writer.i64(handles);
            writer.i64(logBytes);
            writer.string(software);
            writer.string(statusUrl);
            writer.i32(nextServer);
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
                    Fields.records(reader, ServerCapacity::decode),
                    reader.remaining() > 0 ? Fields.uuid(reader) : new UUID(0, 0),
                    appendedLength(reader),
                    appendedLength(reader),
                    appendedLength(reader),
                    appendedString(reader),
                    appendedString(reader),
                    reader.remaining() > 0 ? reader.i32() : 0);
        }
    }
}
