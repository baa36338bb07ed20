// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.function.Consumer;

/** Changes of files: what they hold, whether that is final, and who has them open. */
public final class FileChanges {
    private final Tree tree;

    FileChanges(Tree tree) {
        this.tree = tree;
    }

    /**
     * Changes a file's extents by {@code change}, which appends, and its length, version and totals
     * after it.
     */
    public void changeExtents(FileNode file, long version, Consumer<ExtentList> change) {
        tree.touch(file);
        int before = file.extents.count();
        change.accept(file.extents);
        tree.useClock().used(file.extents);
        long length = file.extents.length();
        long allocated = file.extents.allocated();
        if (file.parent != null) {
            tree.accounts()
                    .bytes(
                            file.parent,
                            file,
                            length - file.length,
                            tree.classes().of(file.extents, before, file.extents.count()));
        }
        file.length = length;
        file.allocated = allocated;
        file.version = version;
    }

    /** Takes extents away from a detached file, whose blocks are being freed. */
    public void removeLastExtents(FileNode file, int extents) {
        assert file.parent == null;
        tree.touch(file);
        for (int i = 0; i < extents; i++) {
            file.extents.removeLast();
        }
        file.length = file.extents.length();
        file.allocated = file.extents.allocated();
    }

    public void setAccessed(FileNode file, long millis) {
        tree.touch(file);
        file.accessedMillis = millis;
    }

    public void setSealed(FileNode file, boolean sealed) {
        tree.touch(file);
        file.sealed = sealed;
    }

    public void setVersion(FileNode file, long version) {
        tree.touch(file);
        file.version = version;
    }

    public void setUnlinked(FileNode file, long millis) {
        tree.touch(file);
        file.unlinked = true;
        file.unlinkedMillis = millis;
    }

    /** Derived from the sessions; not part of snapshots. */
    public void setLease(FileNode file, long session, long handle) {
        file.leaseSession = session;
        file.leaseHandle = handle;
    }

    /** Derived from the sessions; not part of snapshots. */
    public void addReader(FileNode file, int by) {
        file.readers += by;
        assert file.readers >= 0;
    }
}
