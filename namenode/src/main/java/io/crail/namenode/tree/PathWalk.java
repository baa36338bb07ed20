// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.error.InvalidNameException;
import io.crail.protocol.node.Names;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a path that lies as bytes in a buffer, without allocation. One object serves one thread;
 * the result stands until the next walk and refers to the buffer of that walk.
 */
public final class PathWalk {
    private @Nullable Node node;
    private @Nullable ContainerNode parent;
    private @Nullable Node obstacle;
    private int nameOffset;
    private int nameLength;
    private int missing;
    private int depth;

    /** The node at the path, or null. */
    public @Nullable Node node() {
        return node;
    }

    /** The deepest existing container on the way; null only for the root itself. */
    public @Nullable ContainerNode parent() {
        return parent;
    }

    /** A node on the way that has no names below it although some follow; else null. */
    public @Nullable Node obstacle() {
        return obstacle;
    }

    /** How many names at the end of the path do not exist. */
    public int missing() {
        return missing;
    }

    /** Absolute position of the first missing name; of the last name if none is missing. */
    public int nameOffset() {
        return nameOffset;
    }

    public int nameLength() {
        return nameLength;
    }

    /**
     * Walks from the root.
     *
     * @throws InvalidNameException if the path breaks the rules of {@link Names}
     */
    public PathWalk walk(Tree tree, ByteBuffer path) throws InvalidNameException {
        int end = path.limit();
        int at = path.position();
        node = tree.root();
        parent = null;
        obstacle = null;
        missing = 0;
        depth = 0;
        nameOffset = at;
        nameLength = 0;
        if (at == end || path.get(at) != '/') {
            throw new InvalidNameException(
                    "path must start with '/': '"
                            + StandardCharsets.UTF_8.decode(path.duplicate())
                            + "'");
        }
        while (at < end) {
            at++;
            int start = at;
            while (at < end && path.get(at) != '/') {
                at++;
            }
            if (at > start) {
                step(path, start, at - start);
            }
        }
        return this;
    }

    /** Drops the result. */
    public void forget() {
        node = null;
        parent = null;
        obstacle = null;
    }

    private void step(ByteBuffer path, int offset, int length) throws InvalidNameException {
        check(path, offset, length);
        if (missing > 0 || obstacle != null) {
            missing++;
            return;
        }
        nameOffset = offset;
        nameLength = length;
        if (node instanceof ContainerNode container && container.hasNames()) {
            parent = container;
            node = container.find(path, offset, length);
            if (node == null) {
                missing = 1;
            }
        } else {
            obstacle = node;
            node = null;
            missing = 1;
        }
    }

    private void check(ByteBuffer path, int offset, int length) throws InvalidNameException {
        if (length > Names.MAX_NAME
                || (path.get(offset) == '.'
                        && (length == 1 || (length == 2 && path.get(offset + 1) == '.')))) {
            byte[] name = new byte[length];
            path.get(offset, name);
            Names.checkName(name, 0, length);
        }
        if (++depth > Names.MAX_DEPTH) {
            throw new InvalidNameException("path is deeper than " + Names.MAX_DEPTH + " names");
        }
    }
}
