// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.namenode.session.Session;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.StreamNode;

/** How nodes go: at once, when their last handle closes, or in slices when much is below them. */
final class Removal {
    /**
     * A file of more blocks frees them in slices. Part of what a log means: it decides a replay.
     */
    private static final int BLOCKS_AT_ONCE = 2048;

    private final State state;

    Removal(State state) {
        this.state = state;
    }

    /** Takes a node's name; the node itself goes as soon as nothing needs it. */
    void removeNamed(Node node, long time) {
        state.tree().unlink(node);
        dispose(node, time);
    }

    /** What has lost its name goes, or stays for those who have it open. */
    void dispose(Node node, long time) {
        state.lifeSpans().forget(node);
        if (node instanceof FileNode file) {
            state.leases().breakLease(file);
            if (file.isOpen()) {
                state.tree().files().setUnlinked(file, time);
            } else {
                dropFile(file);
            }
        } else if (node instanceof KeyValueNode value) {
            dropValue(value);
        } else if (node instanceof StreamNode stream) {
            dropStream(stream);
        } else if (node instanceof ContainerNode container) {
            if (container.size() == 0) {
                state.tree().forget(container);
            } else {
                // What is open below it is kept from now on, not from its last change on.
                state.tree().setModified(container, time);
                state.tree().detach(container);
            }
        }
    }

    /** A handle was closed: an unlinked file without further ones goes. */
    void releaseIfUnused(FileNode file) {
        if (file.isUnlinked() && !file.isOpen()) {
            dropFile(file);
        }
    }

    /** And then, if it had a window to another file that stayed for that only, this one as well. */
    private void dropFile(FileNode file) {
        FileNode next = file;
        while (next != null) {
            FileNode lender = state.tree().splicing().close(next);
            dropBlocks(next);
            next = lender != null && lender.isUnlinked() && !lender.isOpen() ? lender : null;
        }
    }

    private void dropBlocks(FileNode file) {
        if (file.blocks() > BLOCKS_AT_ONCE) {
            state.tree().detach(file);
        } else {
            unreferenceLast(file.extents(), file.blocks());
            state.tree().forget(file);
        }
    }

    void dropValue(KeyValueNode value) {
        if (value.extents() != null) {
            unreferenceLast(value.extents(), value.blocks());
        }
        state.tree().forget(value);
    }

    /**
     * Takes an unlinked file from its handles, which are removed from their sessions. It goes,
     * unless a group of members keeps it: that has an end of its own, {@link ExpireMembers}.
     */
    void dropUnlinked(FileNode file) {
        for (Session session : state.sessions().all()) {
            int before = session.handles().size();
            if (session.handles().values().stream().anyMatch(h -> h.file() == file)) {
                state.sessions().touch(session);
                session.handles().values().removeIf(h -> h.file() == file);
                state.tree().files().addReader(file, session.handles().size() - before);
            }
        }
        releaseIfUnused(file);
    }

    /** See {@link TrimStream}. */
    void trim(StreamNode stream, long first, int runs) {
        int blocks = 0;
        for (int i = 0; i < runs; i++) {
            blocks += stream.run(i).blocks();
        }
        unreferenceFirst(stream.extents(), blocks);
        state.tree().streams().trim(stream, first, runs);
    }

    private void dropStream(StreamNode stream) {
        if (stream.blocks() > BLOCKS_AT_ONCE) {
            state.tree().detach(stream);
        } else {
            unreferenceFirst(stream.extents(), stream.blocks());
            state.tree().forget(stream);
        }
    }

    private void reap(StreamNode stream, int count) {
        int blocks = 0;
        int runs = 0;
        while (runs < stream.runs() && blocks < count) {
            blocks += Math.max(1, stream.run(runs).blocks());
            runs++;
        }
        trim(stream, stream.run(runs - 1).end(), runs);
        if (stream.runs() == 0) {
            state.tree().forgetDetached(stream);
        }
    }

    private void unreferenceFirst(ExtentList list, int extents) {
        for (int i = 0; i < extents; i++) {
            unreference(list, i);
        }
    }

    /** Gives up the blocks of the last extents. */
    private void unreferenceLast(ExtentList list, int extents) {
        for (int i = list.count() - 1; i >= list.count() - extents; i--) {
            unreference(list, i);
        }
    }

    private void unreference(ExtentList list, int index) {
        state.blocks()
                .unreference(
                        list.server(index),
                        list.segment(index),
                        list.record(index),
                        list.blockLength(index),
                        list.generation(index));
    }

    /** See {@link ReapNode}. */
    void reap(long id, int count) {
        Node node = state.tree().nextDetached();
        if (node == null || node.id() != id) {
            throw new IllegalStateException("node " + id + " is not the next to reap");
        }
        if (node instanceof ContainerNode container) {
            reap(container, count);
        } else if (node instanceof FileNode file) {
            reap(file, count);
        } else if (node instanceof StreamNode stream) {
            reap(stream, count);
        }
    }

    private void reap(ContainerNode container, int count) {
        for (int i = 0; i < count; i++) {
            Node child = container.first();
            if (child == null) {
                break;
            }
            removeNamed(child, container.modifiedMillis());
        }
        if (container.size() == 0) {
            state.tree().forgetDetached(container);
        }
    }

    private void reap(FileNode file, int count) {
        int extents = Math.min(count, file.blocks());
        unreferenceLast(file.extents(), extents);
        state.tree().files().removeLastExtents(file, extents);
        if (file.blocks() == 0) {
            state.tree().forgetDetached(file);
        }
    }
}
