// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * A writer gives its lease up.
 *
 * @param node FILE
 * @param handle handle of the lease
 * @param remove whether the file goes, too
 * @param time milliseconds since 1970
 */
public record AbandonFile(long node, long handle, boolean remove, long time) implements Mutation {
    static AbandonFile decode(WireReader reader) throws ProtocolException {
        return new AbandonFile(reader.i64(), reader.i64(), reader.bool(), reader.i64());
    }

    @Override
    public int code() {
        return RecordType.ABANDON.code();
    }

    @Override
    public int replyType() {
        return MessageType.ABANDON.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node);
        writer.i64(handle);
        writer.bool(remove);
        writer.i64(time);
    }

    @Override
    public void apply(State state, Origin origin) {
        FileNode file = (FileNode) state.node(node);
        state.leases().breakLease(file);
        if (remove) {
            state.removal().removeNamed(file, time);
        }
    }
}
