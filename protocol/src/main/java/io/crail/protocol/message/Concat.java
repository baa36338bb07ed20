// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Appends the extents of FILEs to another one and removes their names, atomically. */
public final class Concat {
    /** Most sources of one request; their paths must fit a frame, too. */
    public static final int MAX_SOURCES = 1000;

    private Concat() {}

    /**
     * A file to be appended.
     *
     * @param path absolute path
     */
    public record Source(byte[] path) {
        void encode(WireWriter writer) {
            writer.bytes(path);
        }

        static Source decode(WireReader reader) throws ProtocolException {
            return new Source(reader.bytes(Names.MAX_PATH));
        }
    }

    /**
     * Request 54.
     *
     * @param target absolute path of the FILE that grows
     * @param sources 1 to {@link #MAX_SOURCES} FILEs, in order
     */
    public record Request(byte[] target, List<Source> sources) implements Message {
        @Override
        public MessageType type() {
            return MessageType.CONCAT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(target);
            Fields.records(writer, sources, Source::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH), Fields.records(reader, Source::decode));
        }
    }

    /**
     * Reply 54.
     *
     * @param status attributes of the target, with its new length
     */
    public record Reply(NodeStatus status) implements Message {
        @Override
        public MessageType type() {
            return MessageType.CONCAT;
        }

        @Override
        public void encode(WireWriter writer) {
            status.encode(writer);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(NodeStatus.decode(reader));
        }
    }
}
