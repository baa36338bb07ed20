// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.namenode.session.Session;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import java.util.List;

/**
 * When nodes go by themselves: at a deadline, or with a session. Sessions know what is bound to
 * them, nodes know the session; both are changed here, together.
 */
final class LifeSpans {
    private final State state;

    LifeSpans(State state) {
        this.state = state;
    }

    /** Binds a node to a session; 0 = to none. */
    void bind(Node node, long session) {
        Session before = state.session(node.boundSession());
        if (before != null) {
            before.bound().remove(node.id());
        }
        state.tree().extras().setSession(node, session);
        if (session != 0) {
            state.sessionOf(session).bound().add(node.id());
        }
    }

    /** A node has lost its name for ever: nothing needs to end it any more. */
    void forget(Node node) {
        Session session = state.session(node.boundSession());
        if (session != null) {
            session.bound().remove(node.id());
        }
        state.tree().extras().drop(node);
    }

    /** Removes what is bound to a session. */
    void endBound(Session session, long time) {
        // Ascending ids: the same order in a replay that began at a snapshot.
        for (long id : List.copyOf(session.bound())) {
            remove(state.node(id), time);
        }
    }

    /** Removes a node whose time is over. */
    void expire(long parent, byte[] name, long time) {
        Node node = ((ContainerNode) state.node(parent)).find(name);
        if (node == null) {
            throw new IllegalStateException("nothing to expire in " + parent);
        }
        remove(node, time);
    }

    private void remove(Node node, long time) {
        ContainerNode parent = node.parent();
        state.removal().removeNamed(node, time);
        if (parent != null) {
            state.tree().setModified(parent, time);
        }
    }
}
