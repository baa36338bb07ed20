// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/** What a mover should bring from one storage class to another next. */
public final class TierPlan {
    private TierPlan() {}

    /**
     * Request 88. Claims the server for the session: others are refused it until the session ends,
     * or nothing was asked for some time.
     *
     * @param server id of the server to work for; 0 = any that has something to move and no mover
     * @param bytes most bytes to be moved; 0 = none: the claim stands, and the rate is told
     */
    public record Request(int server, int bytes) implements Message {
        @Override
        public MessageType type() {
            return MessageType.TIER_PLAN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.i32(bytes);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i32(), reader.length32());
        }
    }

    /**
     * Reply 88.
     *
     * @param server server that the session has claimed; 0 = none
     * @param sourceClass class in which the extents lie
     * @param firstClass first class to ask GRANT for
     * @param lastClass last class to ask GRANT for; below {@code sourceClass} if they are hot
     * @param waitMillis time after which to ask again; 0 = when these have been moved
     * @param bytesPerSecond most bytes to move in a second; 0 = the mover's own limit
     * @param owners whose each extent is
     * @param extents the extents, with READ right: those of one node in the order of its bytes
     */
    public record Reply(
            int server,
            int sourceClass,
            int firstClass,
            int lastClass,
            int waitMillis,
            long bytesPerSecond,
            List<Movable.Owner> owners,
            List<Extent> extents)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.TIER_PLAN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.u8(sourceClass);
            writer.u8(firstClass);
            writer.u8(lastClass);
            writer.i32(waitMillis);
            writer.i64(bytesPerSecond);
            Fields.records(writer, owners, Movable.Owner::encode);
            Fields.list(writer, extents, Extent.WIRE_SIZE, Extent::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i32(),
                    reader.u8(),
                    reader.u8(),
                    reader.u8(),
                    reader.length32(),
                    reader.length64(),
                    Fields.records(reader, Movable.Owner::decode),
                    Fields.list(reader, Extent.WIRE_SIZE, Extent::decode));
        }
    }
}
