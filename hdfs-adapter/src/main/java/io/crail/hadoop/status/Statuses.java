// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import io.crail.protocol.message.NodeStatus;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/** Makes statuses for one file system. Thread-safe. */
public final class Statuses {
    private static final int MODES = 1 << 10;

    private final URI uri;
    private final long blockSize;

    /** Without the sticky bit there are few modes: they are made once. */
    private final AtomicReferenceArray<FsPermission> permissions =
            new AtomicReferenceArray<>(MODES);

    /**
     * @param uri of the file system
     * @param blockSize what files say of their blocks: into how large pieces jobs divide them
     */
    public Statuses(URI uri, long blockSize) {
        this.uri = uri;
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
     * Paths of the entries of a directory.
     *
     * @param directory plain path
     */
    public EntryPaths entriesOf(String directory) {
        return new EntryPaths(uri, directory);
    }

    /** The status of an entry of a directory. */
    public CrailFileStatus ofEntry(NodeStatus node, EntryPaths directory, String name) {
        return of(node, directory.of(name));
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
