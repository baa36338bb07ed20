// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.namenode.session.Session;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Splicing;
import io.crail.namenode.tree.Tree;

/**
 * Joining and cutting files, as sessions, names and extents take part in it: see {@link Splicing}.
 * What loses its name here goes like any other removed file, by {@link Removal}, with or without
 * extents of its own.
 */
final class Splices {
    private final State state;

    Splices(State state) {
        this.state = state;
    }

    void concat(ConcatFiles concat) {
        Tree tree = state.tree();
        FileNode target = (FileNode) state.node(concat.target());
        state.leases().breakLease(target);
        for (long id : concat.sources()) {
            FileNode source = (FileNode) state.node(id);
            ContainerNode parent = source.parent();
            state.leases().breakLease(source);
            tree.unlink(source);
            tree.splicing().append(target, source, concat.version());
            state.removal().dispose(source, concat.time());
            if (parent != null) {
                tree.setModified(parent, concat.time());
            }
        }
        tree.setModified(target, concat.time());
        state.useVersion(concat.version());
    }

    /** The file as it was goes, like one that is replaced; its first bytes, id and name stay. */
    void truncate(TruncateFile cut) {
        Tree tree = state.tree();
        FileNode file = (FileNode) state.node(cut.node());
        state.leases().breakLease(file);
        FileNode rest =
                tree.newFile(
                        cut.rest(),
                        file.attributes(),
                        new ExtentList(),
                        file.createdMillis(),
                        file.modifiedMillis());
        state.useNodeId(cut.rest());
        tree.files().setAccessed(rest, file.accessedMillis());
        tree.files().setUnlinked(rest, cut.time());
        tree.splicing().cut(file, rest, cut.length(), cut.tailCrc(), cut.version());
        handOver(file, rest);
        tree.setModified(file, cut.time());
        state.useVersion(cut.version());
        state.removal().releaseIfUnused(rest);
    }

    /**
     * Makes handles for reading a file those of another one. Released members stay readers of the
     * first: nobody reads through them any more.
     */
    private void handOver(FileNode from, FileNode to) {
        if (!from.isOpen()) {
            return;
        }
        int moved = 0;
        for (Session session : state.sessions().all()) {
            if (session.reads(from)) {
                state.sessions().touch(session);
                moved += session.handOver(from, to);
            }
        }
        state.tree().files().addReader(from, -moved);
        state.tree().files().addReader(to, moved);
    }
}
