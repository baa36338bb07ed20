// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Where the storage servers are, by id. */
public final class ServerTable {
    private ServerTable() {}

    /**
     * One way to reach a server.
     *
     * @param transport name of the data path, "tcp"
     * @param host host name or address literal
     * @param port port
     */
    public record Endpoint(String transport, String host, int port) {
        public void encode(WireWriter writer) {
            writer.string(transport);
            writer.string(host);
            writer.u16(port);
        }

        public static Endpoint decode(WireReader reader) throws ProtocolException {
            return new Endpoint(
                    reader.string(Names.MAX_NAME), reader.string(Names.MAX_NAME), reader.u16());
        }
    }

    /**
     * One storage server.
     *
     * @param id never reused
     * @param state a code of {@link ServerState}
     * @param tier "dram", "nvmf"
     * @param storageClass rank of its tier
     * @param host its name
     * @param locationClass where it is
     * @param ticket lets the asking session connect
     * @param endpoints in order of preference
     */
    public record Server(
            int id,
            int state,
            String tier,
            int storageClass,
            String host,
            String locationClass,
            long ticket,
            List<Endpoint> endpoints) {
        public void encode(WireWriter writer) {
            writer.i32(id);
            writer.u8(state);
            writer.string(tier);
            writer.u8(storageClass);
            writer.string(host);
            writer.string(locationClass);
            writer.i64(ticket);
            Fields.records(writer, endpoints, Endpoint::encode);
        }

        public static Server decode(WireReader reader) throws ProtocolException {
            return new Server(
                    reader.i32(),
                    reader.u8(),
                    reader.string(Names.MAX_NAME),
                    reader.u8(),
                    reader.string(Names.MAX_NAME),
                    reader.string(Names.MAX_NAME),
                    reader.i64(),
                    Fields.records(reader, Endpoint::decode));
        }
    }

    /**
     * Request 80.
     *
     * @param knownVersion version the client holds, 0 = none
     * @param fromServer id of the first server to tell of; 0 = the first of all
     */
    public record Request(long knownVersion, int fromServer) implements Message {
        /** Asks for the first page. */
        public Request(long knownVersion) {
            this(knownVersion, 0);
        }

        @Override
        public MessageType type() {
            return MessageType.SERVER_TABLE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(knownVersion);
            writer.i32(fromServer);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i64(), reader.remaining() > 0 ? reader.i32() : 0);
        }
    }

    /**
     * Reply 80.
     *
     * @param version version of this table
     * @param unchanged whether knownVersion is current; then no servers follow
     * @param servers that may hold data, in order of their ids, as many as fit
     * @param nextServer what to ask from for those that did not fit; 0 = none is left
     */
    public record Reply(long version, boolean unchanged, List<Server> servers, int nextServer)
            implements Message {
        /** A table that fits. */
        public Reply(long version, boolean unchanged, List<Server> servers) {
            this(version, unchanged, servers, 0);
        }

        @Override
        public MessageType type() {
            return MessageType.SERVER_TABLE;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(version);
            writer.bool(unchanged);
            Fields.records(writer, servers, Server::encode);
            writer.i32(nextServer);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i64(),
                    reader.bool(),
                    Fields.records(reader, Server::decode),
                    reader.remaining() > 0 ? reader.i32() : 0);
        }
    }
}
