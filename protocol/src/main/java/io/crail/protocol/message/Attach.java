// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.UUID;

/** A client on the same host shows its session file, and may map segments after the answer. */
public final class Attach {
    /** Longest directory of the reply in bytes: PATH_MAX of Linux. */
    public static final int MAX_DIRECTORY = 4096;

    private Attach() {}

    /**
     * Request 130.
     *
     * @param file name of the session file in the directory {@link
     *     io.crail.protocol.segment.SessionLayout#DIRECTORY} of the server; complete, and locked by
     *     the caller
     */
    public record Request(String file) implements Message {
        @Override
        public MessageType type() {
            return MessageType.ATTACH;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.string(file);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.string(Names.MAX_NAME));
        }
    }

    /**
     * Reply 130.
     *
     * @param server identity in the headers of its segment files
     * @param directory absolute path of the directory with the segment files
     */
    public record Reply(UUID server, String directory) implements Message {
        @Override
        public MessageType type() {
            return MessageType.ATTACH;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.uuid(writer, server);
            writer.string(directory);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Fields.uuid(reader), reader.string(MAX_DIRECTORY));
        }
    }
}
