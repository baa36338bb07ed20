// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import io.crail.protocol.message.NodeStatus;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/** Makes statuses for one file system. Thread-safe. */
public final class Statuses {
    private static final int MODES = 1 << 10;

    private final URI root;
    private final long blockSize;

    /** Without the sticky bit there are few modes: they are made once. */
    private final AtomicReferenceArray<FsPermission> permissions =
            new AtomicReferenceArray<>(MODES);

    /**
     * @param uri of the file system
     * @param blockSize what files say of their blocks: into how large pieces jobs divide them
     */
    public Statuses(URI uri, long blockSize) {
        this.root = uri.resolve("/");
        this.blockSize = blockSize;
    }

    public long blockSize() {
        return blockSize;
    }

    /**
     * The status of a node.
     *
     * @param path with scheme and authority
     */
    public CrailFileStatus of(NodeStatus node, Path path) {
        return new CrailFileStatus(node, path, permission(node.mode()), blockSize);
    }

    /**
     * The status of an entry of a directory. Names may hold what a URI gives a meaning to, so they
     * are not parsed.
     *
     * @param parent plain path of the directory
     */
    public CrailFileStatus ofEntry(NodeStatus node, String parent, String name) {
        return of(node, entry(parent, name));
    }

    private Path entry(String parent, String name) {
        String path = parent.endsWith("/") ? parent + name : parent + "/" + name;
        try {
            // Scheme and authority are not parsed again: it was a third of the time of a listing.
            return new Path(root.resolve(new URI(null, null, path, null)));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(path + " is no path of a URI, whatever is in it", e);
        }
    }

    private FsPermission permission(int mode) {
        int bits = mode & 07777;
        if (bits >= MODES) {
            return new FsPermission((short) (bits & 01777));
        }
        @Nullable FsPermission known = permissions.get(bits);
        if (known == null) {
            known = new FsPermission((short) bits);
            permissions.set(bits, known);
        }
        return known;
    }
}
