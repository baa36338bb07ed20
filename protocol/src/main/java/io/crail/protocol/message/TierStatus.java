// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** How full the storage classes are, what was moved between them, and by whom. */
public final class TierStatus {
    private TierStatus() {}

    /**
     * One storage class. Only servers that are there and are not being emptied count.
     *
     * @param storageClass the class
     * @param capacity bytes of its servers
     * @param used bytes of blocks that are granted or committed
     * @param toDemote bytes to be moved to higher classes until it is at its low-water mark; 0
     *     unless it has been above the high-water mark
     * @param demoted bytes moved from it to higher classes since the namenode started
     * @param promoted bytes moved from it to lower classes since the namenode started
     */
    public record ClassUse(
            int storageClass,
            long capacity,
            long used,
            long toDemote,
            long demoted,
            long promoted) {
        public void encode(WireWriter writer) {
            writer.u8(storageClass);
            writer.i64(capacity);
            writer.i64(used);
            writer.i64(toDemote);
            writer.i64(demoted);
            writer.i64(promoted);
        }

        public static ClassUse decode(WireReader reader) throws ProtocolException {
            return new ClassUse(
                    reader.u8(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64());
        }
    }

    /**
     * One mover.
     *
     * @param server server that it has claimed
     * @param session its session
     * @param name the name its client has given
     * @param planned bytes that it was told to move and has not reported done
     * @param silentMillis time since it asked last
     */
    public record Mover(int server, long session, String name, long planned, long silentMillis) {
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.i64(session);
            writer.string(name);
            writer.i64(planned);
            writer.i64(silentMillis);
        }

        public static Mover decode(WireReader reader) throws ProtocolException {
            return new Mover(
                    reader.i32(),
                    reader.i64(),
                    reader.string(Names.MAX_NAME),
                    reader.length64(),
                    reader.length64());
        }
    }

    /** Request 89. */
    public record Request() implements Message {
        @Override
        public MessageType type() {
            return MessageType.TIER_STATUS;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Request decode(WireReader reader) {
            return new Request();
        }
    }

    /**
     * Reply 89.
     *
     * @param paused nothing is planned
     * @param highPercent use of a class from which on cold nodes are moved out of it
     * @param lowPercent use of a class up to which that goes on, and hot nodes are moved into it
     * @param bytesPerSecond limit of each mover that was set at run time; 0 = its own
     * @param classes one per storage class
     * @param movers one per claim, in order of servers, as many as fit
     */
    public record Reply(
            boolean paused,
            int highPercent,
            int lowPercent,
            long bytesPerSecond,
            List<ClassUse> classes,
            List<Mover> movers)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.TIER_STATUS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bool(paused);
            writer.u8(highPercent);
            writer.u8(lowPercent);
            writer.i64(bytesPerSecond);
            Fields.records(writer, classes, ClassUse::encode);
            Fields.records(writer, movers, Mover::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.bool(),
                    reader.u8(),
                    reader.u8(),
                    reader.length64(),
                    Fields.records(reader, ClassUse::decode),
                    Fields.records(reader, Mover::decode));
        }
    }
}
