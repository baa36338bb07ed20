// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * Another mutation, and in the same step when the node that it makes or changes goes by itself. One
 * record, so that no node that is to end is ever there without its end.
 *
 * @param clock what the lifetime clock shows
 * @param mask which of the following are set
 * @param lifetimeMillis time to live from then, -1 = without an end
 * @param session session with which the node goes, 0 = none
 * @param inner the other mutation
 */
public record SetLifetime(long clock, int mask, long lifetimeMillis, long session, Mutation inner)
        implements Mutation {
    /** The time to live is set. */
    public static final int TIME = 1;

    /** The session is set. */
    public static final int SESSION = 2;

    static SetLifetime decode(WireReader reader) throws ProtocolException {
        return new SetLifetime(
                reader.i64(),
                reader.u8(),
                reader.i64(),
                reader.i64(),
                Mutation.decode(reader.u16(), reader));
    }

    @Override
    public int code() {
        return RecordType.LIFETIME.code();
    }

    @Override
    public int replyType() {
        return inner.replyType();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(clock);
        writer.u8(mask);
        writer.i64(lifetimeMillis);
        writer.i64(session);
        writer.u16(inner.code());
        inner.encode(writer);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.tree().lifetimes().record(clock);
        inner.apply(state, origin);
        Node node = target(state);
        if (node == null) {
            throw new IllegalStateException(inner + " left no node that can end");
        }
        if ((mask & TIME) != 0) {
            state.tree()
                    .extras()
                    .setDeadline(
                            node, lifetimeMillis < 0 ? Long.MAX_VALUE : clock + lifetimeMillis);
        }
        if ((mask & SESSION) != 0) {
            state.lifeSpans().bind(node, session);
        }
    }

    private @Nullable Node target(State state) {
        if (inner instanceof CreateNode made) {
            return state.node(made.node());
        }
        if (inner instanceof CreateStream made) {
            return state.node(made.create().node());
        }
        if (inner instanceof RenameNode moved) {
            return state.node(moved.node());
        }
        if (inner instanceof ChangeAttributes changed) {
            return state.node(changed.node());
        }
        if (inner instanceof PutInline put) {
            return ((ContainerNode) state.node(put.table())).find(put.key());
        }
        if (inner instanceof PutBlocks put) {
            return ((ContainerNode) state.node(put.table())).find(put.key());
        }
        return null;
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        inner.reply(state, origin, writer);
    }
}
