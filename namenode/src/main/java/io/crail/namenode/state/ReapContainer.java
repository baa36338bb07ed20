// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * Takes the first entries out of the first detached container; the container goes with its last
 * one.
 *
 * @param container its id
 * @param count how many entries
 */
public record ReapContainer(long container, int count) implements Mutation {
    static ReapContainer decode(WireReader reader) throws ProtocolException {
        return new ReapContainer(reader.i64(), reader.i32());
    }

    @Override
    public int code() {
        return RecordType.REAP.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(container);
        writer.i32(count);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.removal().reap(container, count);
    }
}
