// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.session;

import io.crail.namenode.tree.FileNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Members of a MULTIFILE that a session opened with one request, under one handle. Each of them
 * counts the group among its readers. Not thread-safe.
 */
public final class MemberGroup {
    private final long id;
    private final ArrayList<FileNode> members;

    public MemberGroup(long id, List<FileNode> members) {
        this.id = id;
        this.members = new ArrayList<>(members);
    }

    /** The handle: id of the request that opened it. */
    public long id() {
        return id;
    }

    /** Those that it still keeps, in the order of the answer. */
    public List<FileNode> members() {
        return Collections.unmodifiableList(members);
    }

    /** Keeps another file instead of one of them. */
    void replace(FileNode member, FileNode by) {
        members.replaceAll(each -> each == member ? by : each);
    }

    /** Whether one of them lost its name before {@code millis}. */
    public boolean hasUnlinkedBefore(long millis) {
        for (FileNode member : members) {
            if (isUnlinkedBefore(member, millis)) {
                return true;
            }
        }
        return false;
    }

    /** Takes out those that lost their names before {@code millis}. */
    List<FileNode> takeUnlinkedBefore(long millis) {
        List<FileNode> taken = new ArrayList<>();
        List<FileNode> kept = new ArrayList<>();
        for (FileNode member : members) {
            (isUnlinkedBefore(member, millis) ? taken : kept).add(member);
        }
        members.clear();
        members.addAll(kept);
        return taken;
    }

    private static boolean isUnlinkedBefore(FileNode member, long millis) {
        return member.isUnlinked() && member.unlinkedMillis() < millis;
    }
}
