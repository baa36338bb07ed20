// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import io.crail.protocol.message.NodeStatus;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** Attributes of a node, with what tells it and its content from all others. */
public final class CrailFileStatus extends FileStatus implements EtagSource {
    private static final long serialVersionUID = 1L;

    private final long node;
    private final long version;

    CrailFileStatus(NodeStatus from, Path path, FsPermission permission, long blockSize) {
        super(
                from.length(),
                from.type().isContainer(),
                from.type().isContainer() ? 0 : 1,
                from.type().isContainer() ? 0 : blockSize,
                from.modifiedMillis(),
                from.accessedMillis(),
                permission,
                from.owner(),
                from.group(),
                null,
                path,
                NONE);
        this.node = from.id();
        this.version = from.version();
    }

    /** Number of the node, which no other node ever has. */
    public long node() {
        return node;
    }

    /** Changes with every commit to the node. */
    public long version() {
        return version;
    }

    /** The same as long as node and content are; a rename keeps it. */
    @Override
    public String getEtag() {
        return etag(node, version);
    }

    static String etag(long node, long version) {
        return Long.toHexString(node) + '-' + Long.toHexString(version);
    }

    /** By path, as all of Hadoop's do. */
    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }
}
