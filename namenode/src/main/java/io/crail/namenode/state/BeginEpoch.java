// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/**
 * A new life of the namenode.
 *
 * @param epoch higher than any before
 * @param bootId identity of the host's boot, "" = unknown
 */
public record BeginEpoch(long epoch, String bootId) implements Mutation {
    static BeginEpoch decode(WireReader reader) throws ProtocolException {
        return new BeginEpoch(reader.i64(), reader.string(Names.MAX_NAME));
    }

    @Override
    public int code() {
        return RecordType.EPOCH.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(epoch);
        writer.string(bootId);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.setEpoch(epoch, bootId);
    }
}
