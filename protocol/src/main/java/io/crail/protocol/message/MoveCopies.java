// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/** Swaps the blocks of many extents for their copies; each is swapped, or refused, by itself. */
public final class MoveCopies {
    /** Swaps in one request. */
    public static final int MAX_MOVES = GrantCopies.MAX_COPIES;

    private MoveCopies() {}

    /**
     * Request 92.
     *
     * @param moves as MOVE has them
     */
    public record Request(List<Move.Request> moves) implements Message {
        @Override
        public MessageType type() {
            return MessageType.MOVE_COPIES;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.records(writer, moves, Move.Request::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(Fields.records(reader, Move.Request::decode));
        }
    }

    /**
     * Reply 92.
     *
     * @param statuses for each swap 0, or the error code with which MOVE would have refused it
     */
    public record Reply(int[] statuses) implements Message {
        @Override
        public MessageType type() {
            return MessageType.MOVE_COPIES;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.ints(writer, statuses);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Fields.ints(reader));
        }
    }
}
