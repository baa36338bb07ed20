// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * The lifetime clock goes on.
 *
 * @param clock what it shows
 */
public record PassTime(long clock) implements Mutation {
    static PassTime decode(WireReader reader) throws ProtocolException {
        return new PassTime(reader.i64());
    }

    @Override
    public int code() {
        return RecordType.TIME.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(clock);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.tree().lifetimes().record(clock);
    }
}
