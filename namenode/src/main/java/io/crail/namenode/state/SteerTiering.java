// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * An operator steers the movement between storage classes.
 *
 * @param tiering all settings, as they are from now on
 */
public record SteerTiering(Tiering tiering) implements Mutation {
    static SteerTiering decode(WireReader reader) throws ProtocolException {
        return new SteerTiering(Tiering.decode(reader));
    }

    @Override
    public int code() {
        return RecordType.TIERING.code();
    }

    @Override
    public int replyType() {
        return MessageType.TIER_SET.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        tiering.encode(writer);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.setTiering(tiering);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {}
}
