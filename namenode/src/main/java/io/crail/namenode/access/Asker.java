// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.access;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.PathWalk;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.node.NodeType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One who asks, and the rights that he has on nodes. Rights are those of POSIX: the owner's bits
 * for the owner, else the group's for a member, else the others'. The superuser has all.
 */
final class Asker {
    static final int READ = 4;
    static final int WRITE = 2;
    static final int SEARCH = 1;

    private static final int STICKY = 01000;

    private final Tree tree;
    private final Session session;
    private final boolean superuser;

    Asker(Tree tree, Session session, boolean superuser) {
        this.tree = tree;
        this.session = session;
        this.superuser = superuser;
    }

    private String user() {
        return session.identity().user();
    }

    boolean is(String user) {
        return user().equals(user);
    }

    private boolean owns(Node node) {
        return node.attributes().owner().equals(user());
    }

    private boolean isMember(String group) {
        return session.identity().group().equals(group);
    }

    /** Follows a path, with the right to search every directory on the way. */
    PathWalk reach(byte[] path) throws CrailException {
        PathWalk walk = new PathWalk().walk(tree, ByteBuffer.wrap(path));
        if (walk.parent() != null) {
            searchDownTo(walk.parent());
        }
        return walk;
    }

    /** The node at a path, if there is one; its absence is told by who handles the request. */
    @Nullable Node node(byte[] path) throws CrailException {
        return reach(path).node();
    }

    private void searchDownTo(ContainerNode container) throws AccessDeniedException {
        if (container.parent() != null) {
            searchDownTo(container.parent());
        }
        need(container, SEARCH);
    }

    /** The node at a path, if there is one, with rights on it. */
    void needAt(byte[] path, int rights) throws CrailException {
        Node node = node(path);
        if (node != null) {
            need(node, rights);
        }
    }

    void need(Node node, int rights) throws AccessDeniedException {
        if (superuser) {
            return;
        }
        Attributes attributes = node.attributes();
        int shift = owns(node) ? 6 : isMember(attributes.group()) ? 3 : 0;
        int missing = rights & ~(attributes.mode() >> shift);
        if (missing != 0) {
            throw denied(node, "has no right to " + words(missing));
        }
    }

    private static String words(int rights) {
        StringBuilder words = new StringBuilder();
        String[] names = {"search (x)", "write (w)", "read (r)"};
        for (int bit = 2; bit >= 0; bit--) {
            if ((rights & 1 << bit) != 0) {
                words.append(words.isEmpty() ? "" : " and ").append(names[bit]);
            }
        }
        return words.toString();
    }

    /** The right to make, move or remove entries of a node's parent, and this one among them. */
    void needToRemove(Node node) throws AccessDeniedException {
        ContainerNode parent = node.parent();
        if (parent == null) {
            return; // The root, which nobody removes, or what has no name any more.
        }
        need(parent, WRITE | SEARCH);
        boolean sticky = (parent.attributes().mode() & STICKY) != 0;
        if (sticky && !superuser && !owns(node) && !owns(parent)) {
            throw denied(node, "may not remove it: its directory is sticky, and he owns neither");
        }
    }

    void needToOwn(Node node) throws AccessDeniedException {
        if (!superuser && !owns(node)) {
            throw denied(node, "does not own it");
        }
    }

    /** The right to give a node to a group. */
    void needGroup(String group, String what) throws AccessDeniedException {
        if (!isMember(group)) {
            needSuperuser(what + " to group " + group);
        }
    }

    void needSuperuser(String what) throws AccessDeniedException {
        if (!superuser) {
            throw new AccessDeniedException(
                    "user " + user() + " may not " + what + ": only the superuser may");
        }
    }

    @Nullable Node nodeById(long id) {
        return tree.byId(id);
    }

    /** By id: with a handle that stands for the check at its opening, or with rights now. */
    void needToRead(long id, long handle) throws AccessDeniedException {
        if (session.opened(handle, id) == null) {
            needById(id, READ);
        }
    }

    /** The node of an id, if there is one, with rights on it, found by its path. */
    void needById(long id, int rights) throws AccessDeniedException {
        Node node = tree.byId(id);
        if (node == null) {
            return;
        }
        // A value has no name of its own: its table decides, with the mode that it has now.
        ContainerNode table = isValue(node) ? node.parent() : null;
        Node named = table != null ? table : node;
        if (named.parent() != null) {
            searchDownTo(named.parent());
        }
        need(named, rights);
    }

    /** As {@link #needById}, for one who may not know the path: a refusal does not tell it. */
    void needByNothingButId(long id, int rights) throws AccessDeniedException {
        try {
            needById(id, rights);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(
                    "node "
                            + id
                            + ": user "
                            + user()
                            + " (group "
                            + session.identity().group()
                            + ") has no right to search (x) a directory on its path"
                            + (rights == 0 ? "" : ", or none to " + words(rights) + " on it"),
                    e);
        }
    }

    private static boolean isValue(Node node) {
        return node.type() == NodeType.KEYVALUE;
    }

    private AccessDeniedException denied(Node node, String why) {
        Attributes attributes = node.attributes();
        return new AccessDeniedException(
                node.path()
                        + ": user "
                        + user()
                        + " (group "
                        + session.identity().group()
                        + ") "
                        + why
                        + "; it is "
                        + String.format("%04o ", attributes.mode())
                        + attributes.owner()
                        + ":"
                        + attributes.group());
    }
}
