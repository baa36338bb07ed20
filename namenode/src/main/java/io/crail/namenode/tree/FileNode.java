// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A FILE: bytes appended by one writer at a time. Who holds lease and handles is known to the
 * sessions; the node has only what an answer needs.
 */
public final class FileNode extends Node {
    final ExtentList extents;
    final long createdMillis;
    long accessedMillis;
    long length;
    long allocated;
    long version;
    boolean sealed;
    boolean unlinked;

    /** Session and handle of the writer; 0 without. Derived from the sessions, not in snapshots. */
    long leaseSession;

    long leaseHandle;

    /** Read handles. Derived from the sessions, not in snapshots. */
    int readers;

    /** When it lost its name while still open, in milliseconds since 1970. */
    long unlinkedMillis;

    /** Null for almost all files. */
    private @Nullable Sharing sharing;

    FileNode(
            long id,
            AttributePool.Interned attributes,
            ExtentList extents,
            long createdMillis,
            long modifiedMillis) {
        super(id, attributes, modifiedMillis);
        this.extents = extents;
        this.createdMillis = createdMillis;
        this.accessedMillis = modifiedMillis;
        this.length = extents.length();
        this.allocated = extents.allocated();
    }

    @Override
    public NodeType type() {
        return NodeType.FILE;
    }

    /** Those that it owns: all but those behind its {@link #window}. */
    @Override
    public ExtentList extents() {
        return extents;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public long allocated() {
        return allocated;
    }

    @Override
    public int blocks() {
        return extents.count();
    }

    @Override
    public long version() {
        return version;
    }

    /** Whether the last block must not be continued: its last writer did not close cleanly. */
    public boolean isSealed() {
        return sealed;
    }

    /** Whether it has lost its name and lives for its handles only. */
    public boolean isUnlinked() {
        return unlinked;
    }

    public long unlinkedMillis() {
        return unlinkedMillis;
    }

    public boolean isLeased() {
        return leaseSession != 0;
    }

    public long leaseSession() {
        return leaseSession;
    }

    public long leaseHandle() {
        return leaseHandle;
    }

    /** Whether somebody needs it, with or without a name: a handle, or a window of another file. */
    public boolean isOpen() {
        return isLeased() || readers > 0 || isLending();
    }

    // What it shares with others: see Splicing.

    Sharing sharing() {
        if (sharing == null) {
            sharing = new Sharing();
        }
        return sharing;
    }

    /** Where its first bytes lie, if it does not own them. */
    public @Nullable Window window() {
        return sharing == null ? null : sharing.window;
    }

    /** The file that it was until that was cut, or 0. */
    public long formerId() {
        return sharing == null ? 0 : sharing.formerId;
    }

    void formerIdOf(FileNode file) {
        sharing().formerId = file.id;
    }

    /** Whether this is what was opened as the file of an id. */
    public boolean isOrWas(long ofId) {
        return id == ofId || (formerId() == ofId && ofId != 0);
    }

    /** Whether others have windows to it. */
    public boolean isLending() {
        return sharing != null && !sharing.borrowers.isEmpty();
    }

    /** Files with a window to this one, as of now. */
    List<FileNode> borrowers() {
        return sharing == null ? List.of() : List.copyOf(sharing.borrowers);
    }

    @Override
    public long createdMillis() {
        return createdMillis;
    }

    @Override
    public long accessedMillis() {
        return accessedMillis;
    }

    @Override
    int statusFlags() {
        return (isLeased() ? NodeStatus.OPEN_FOR_WRITING : 0)
                | (unlinked ? NodeStatus.UNLINKED : 0);
    }
}
