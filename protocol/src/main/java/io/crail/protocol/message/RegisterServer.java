// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;
import java.util.UUID;

/** A storage server introduces itself, at start and after every reconnect. */
public final class RegisterServer {
    private RegisterServer() {}

    /**
     * Request 96.
     *
     * @param server identity, kept with its segments
     * @param host its name
     * @param tier "dram", "nvmf"
     * @param storageClass rank
     * @param locationClass where it is
     * @param endpoints what to tell clients
     * @param software version of its software
     * @param statusUrl where it shows its status over HTTP; empty: it does not, or is older
     * @param smallestBlock bytes of the smallest block to grant there, a block size; who does not
     *     say takes all sizes
     */
    public record Request(
            UUID server,
            String host,
            String tier,
            int storageClass,
            String locationClass,
            List<ServerTable.Endpoint> endpoints,
            String software,
            String statusUrl,
            int smallestBlock)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.REGISTER_SERVER;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.uuid(writer, server);
            writer.string(host);
            writer.string(tier);
            writer.u8(storageClass);
            writer.string(locationClass);
            Fields.records(writer, endpoints, ServerTable.Endpoint::encode);
            writer.string(software);
            writer.string(statusUrl);
            writer.i32(smallestBlock);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    Fields.uuid(reader),
                    reader.string(Names.MAX_NAME),
                    reader.string(Names.MAX_NAME),
                    reader.u8(),
                    reader.string(Names.MAX_NAME),
                    Fields.records(reader, ServerTable.Endpoint::decode),
                    reader.string(Names.MAX_NAME),
                    reader.remaining() > 0 ? reader.string(Names.MAX_NAME) : "",
                    reader.remaining() > 0 ? reader.length32() : BlockGeometry.MIN_BLOCK);
        }
    }

    /**
     * Reply 96.
     *
     * @param id the server id
     * @param sealKey key of {@link io.crail.protocol.block.GrantSeal}
     * @param heartbeatMillis how often to send a heartbeat
     * @param deadMillis silence after which it is declared dead
     * @param smallestBlock the request's, if the namenode grants no smaller ones; one that does not
     *     say so grants all sizes
     */
    public record Reply(
            int id, byte[] sealKey, int heartbeatMillis, int deadMillis, int smallestBlock)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.REGISTER_SERVER;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(id);
            writer.raw(sealKey);
            writer.i32(heartbeatMillis);
            writer.i32(deadMillis);
            writer.i32(smallestBlock);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i32(),
                    reader.raw(16),
                    reader.length32(),
                    reader.length32(),
                    reader.remaining() > 0 ? reader.length32() : BlockGeometry.MIN_BLOCK);
        }
    }
}
