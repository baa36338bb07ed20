// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * An unlinked file has been kept open for longer than the retention limit: its blocks go.
 *
 * @param node FILE
 */
public record DropUnlinked(long node) implements Mutation {
    static DropUnlinked decode(WireReader reader) throws ProtocolException {
        return new DropUnlinked(reader.i64());
    }

    @Override
    public int code() {
        return RecordType.DROP_UNLINKED.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.removal().dropUnlinked((FileNode) state.node(node));
    }
}
