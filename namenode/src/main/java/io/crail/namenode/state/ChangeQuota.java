// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Quota;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * What may lie below a container is limited, or no longer.
 *
 * @param container DIRECTORY or TABLE
 * @param quota all of its limits from now on
 */
public record ChangeQuota(long container, Quota quota) implements Mutation {
    static ChangeQuota decode(WireReader reader) throws ProtocolException {
        return new ChangeQuota(reader.i64(), Quota.decode(reader));
    }

    @Override
    public int code() {
        return RecordType.QUOTA.code();
    }

    @Override
    public int replyType() {
        return MessageType.SET_QUOTA.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(container);
        quota.encode(writer);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.tree().extras().setQuota((ContainerNode) state.node(container), quota);
    }
}
