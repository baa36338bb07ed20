// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * The first of the released members lose a reader; those that have no name and no other handle go.
 * A group may keep many blocks, so closing its handle only queues its members.
 *
 * @param count how many members
 */
public record ReapMembers(int count) implements Mutation {
    static ReapMembers decode(WireReader reader) throws ProtocolException {
        return new ReapMembers(reader.i32());
    }

    @Override
    public int code() {
        return RecordType.REAP_MEMBERS.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i32(count);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.leases().reapMembers(count);
    }
}
