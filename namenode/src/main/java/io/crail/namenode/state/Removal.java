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
    private final State state;

    Removal(State state) {
        this.state = state;
    }

    /** Takes a node's name; the node itself goes as soon as nothing needs it. */
    void removeNamed(Node node, long time) {
        state.tree().unlink(node);
        dispose(node, time);
    }

    private void dispose(Node node, long time) {
        if (node instanceof FileNode file) {
            state.leases().breakLease(file);
            if (file.isOpen()) {
                state.tree().setUnlinked(file, time);
            } else {
                dropFile(file);
            }
        } else if (node instanceof KeyValueNode value) {
            dropValue(value);
        } else if (node instanceof StreamNode stream) {
            unreference(stream.extents());
            state.tree().forget(stream);
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

    private void dropFile(FileNode file) {
        unreference(file.extents());
        state.tree().forget(file);
    }

    void dropValue(KeyValueNode value) {
        if (value.extents() != null) {
            unreference(value.extents());
        }
        state.tree().forget(value);
    }

    /** Drops an unlinked file in spite of its handles, which are removed from their sessions. */
    void dropUnlinked(FileNode file) {
        for (Session session : state.sessions().all()) {
            if (session.handles().values().stream().anyMatch(h -> h.file() == file)) {
                state.sessions().touch(session);
                session.handles().values().removeIf(h -> h.file() == file);
            }
        }
        dropFile(file);
    }

    /** See {@link TrimStream}. */
    void trim(StreamNode stream, long first, int runs) {
        int blocks = 0;
        for (int i = 0; i < runs; i++) {
            blocks += stream.run(i).blocks();
        }
        unreference(stream.extents(), blocks);
        state.tree().streams().trim(stream, first, runs);
    }

    private void unreference(ExtentList list) {
        unreference(list, list.count());
    }

    private void unreference(ExtentList list, int count) {
        for (int i = 0; i < count; i++) {
            state.blocks()
                    .unreference(
                            list.server(i),
                            list.segment(i),
                            list.record(i),
                            list.blockLength(i),
                            list.generation(i));
        }
    }

    /** See {@link ReapContainer}. */
    void reap(long id, int count) {
        ContainerNode container = state.tree().nextDetached();
        if (container == null || container.id() != id) {
            throw new IllegalStateException("container " + id + " is not the next to reap");
        }
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
}
