// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.PathWalk;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.NodeType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** From paths in requests to nodes, with the errors that users see. */
final class Paths {
    private final Core core;

    Paths(Core core) {
        this.core = core;
    }

    static String text(byte[] path) {
        return new String(path, StandardCharsets.UTF_8);
    }

    PathWalk walk(Request request, byte[] path) throws InvalidNameException {
        return request.walk(core.state().tree(), ByteBuffer.wrap(path));
    }

    /** The node at a path. */
    Node existing(Request request, byte[] path) throws CrailException {
        Node node = walk(request, path).node();
        if (node == null) {
            throw missing(ByteBuffer.wrap(path));
        }
        return node;
    }

    /**
     * The node of an id, as long as its path leads to it; a value has a key, and no path.
     *
     * @throws NoSuchNodeException if there is none, or it or what it is in was removed
     */
    Node existing(long id) throws CrailException {
        if (id == 0) {
            throw new InvalidNameException("neither a path nor the id of a node was given");
        }
        Node node = core.state().tree().byId(id);
        if (node == null || node instanceof KeyValueNode || !core.state().tree().isNamed(node)) {
            throw NamespaceRequests.gone(id);
        }
        return node;
    }

    NoSuchNodeException missing(ByteBuffer path) {
        return new NoSuchNodeException(
                StandardCharsets.UTF_8.decode(path.duplicate()) + " does not exist");
    }

    /** The TABLE at a path. */
    ContainerNode table(Request request, ByteBuffer path) throws CrailException {
        Node node = request.walk(core.state().tree(), path).node();
        if (node instanceof ContainerNode table && table.type() == NodeType.TABLE) {
            return table;
        }
        if (node == null) {
            throw missing(path);
        }
        throw new WrongNodeTypeException(
                node.path() + " is a " + node.type() + ", only a TABLE has keys");
    }

    /** A MULTIFILE is flat. */
    static void checkMember(ContainerNode parent, NodeType type) throws WrongNodeTypeException {
        if (parent.type() == NodeType.MULTIFILE && type != NodeType.FILE) {
            throw new WrongNodeTypeException(
                    parent.path() + " is a MULTIFILE and holds files only, no " + type);
        }
    }

    /** The directory in which the last name of a walked path is, or would be made. */
    ContainerNode parentOf(PathWalk walk, byte[] path) throws CrailException {
        checkObstacle(walk, path);
        ContainerNode parent = walk.parent();
        if (parent == null) {
            throw new InvalidArgumentException("the root exists already and has no parent");
        }
        if (walk.missing() > 1) {
            throw new NoSuchNodeException(
                    "the parent of "
                            + text(path)
                            + " does not exist; make it first, or ask for missing parents");
        }
        return parent;
    }

    void checkObstacle(PathWalk walk, byte[] path) throws WrongNodeTypeException {
        Node obstacle = walk.obstacle();
        if (obstacle != null) {
            throw new WrongNodeTypeException(
                    text(path)
                            + ": "
                            + obstacle.path()
                            + " is a "
                            + obstacle.type()
                            + ", only a DIRECTORY or a MULTIFILE has paths below it");
        }
    }

    /** The last name of a walked path whose parents exist, checked for being UTF-8. */
    byte[] newName(PathWalk walk, byte[] path) throws InvalidNameException {
        byte[] name = new byte[walk.nameLength()];
        System.arraycopy(path, walk.nameOffset(), name, 0, name.length);
        return checked(name);
    }

    /** All missing names of a walked path, outermost first. */
    List<byte[]> missingNames(PathWalk walk, byte[] path) throws InvalidNameException {
        List<byte[]> names = new ArrayList<>();
        int start = walk.nameOffset();
        for (int i = start; i <= path.length; i++) {
            if (i == path.length || path[i] == '/') {
                if (i > start) {
                    byte[] name = new byte[i - start];
                    System.arraycopy(path, start, name, 0, name.length);
                    names.add(checked(name));
                }
                start = i + 1;
            }
        }
        return names;
    }

    private static byte[] checked(byte[] name) throws InvalidNameException {
        Names.checkName(name, 0, name.length);
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name));
        } catch (CharacterCodingException e) {
            throw new InvalidNameException("a name must be UTF-8: '" + text(name) + "' is not", e);
        }
        return name;
    }

    static int storageClass(int value) throws InvalidArgumentException {
        if (value < 0 || value > 255) {
            throw new InvalidArgumentException("storage class " + value + " is outside 0..255");
        }
        return value;
    }
}
