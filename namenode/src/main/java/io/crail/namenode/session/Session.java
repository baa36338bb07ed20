// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.session;

import io.crail.namenode.tree.FileNode;
import io.crail.protocol.block.BlockId;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's authenticated relation with the namenode. Logged; survives restarts and reconnects.
 * Whoever changes it calls {@link Sessions#touch} first. Not thread-safe.
 */
public final class Session {
    /** The answer of a mutation, kept until the client has seen it. */
    public record Result(int type, byte[] control) {}

    private final SessionIdentity identity;
    private final NavigableMap<Long, Result> results = new TreeMap<>();
    private final Map<Long, Handle> handles = new LinkedHashMap<>();
    private final Map<Long, MemberGroup> groups = new LinkedHashMap<>();
    private final Map<BlockId, GrantedBlock> grants = new LinkedHashMap<>();
    private int openMembers;
    private final SortedSet<Long> bound = new TreeSet<>();
    private long acknowledged;
    private long lastHeardNanos;

    /** Number of the snapshot that holds this session already, or that began before it existed. */
    int snapshot;

    public Session(SessionIdentity identity) {
        this.identity = identity;
    }

    public SessionIdentity identity() {
        return identity;
    }

    public long id() {
        return identity.id();
    }

    /** Whether {@code token} is this session's secret; takes the same time for every wrong one. */
    public boolean hasToken(byte[] token) {
        return MessageDigest.isEqual(identity.token(), token);
    }

    // Exactly once.

    public @Nullable Result result(long requestId) {
        return results.get(requestId);
    }

    void remember(long requestId, Result result) {
        results.put(requestId, result);
    }

    public int unacknowledged() {
        return results.size();
    }

    public long acknowledged() {
        return acknowledged;
    }

    void acknowledge(long id, Consumer<Result> forgotten) {
        acknowledged = id;
        while (!results.isEmpty() && results.firstKey() <= id) {
            forgotten.accept(results.pollFirstEntry().getValue());
        }
    }

    /** Answers not acknowledged, by request id; not to be changed. */
    public NavigableMap<Long, Result> results() {
        return results;
    }

    // What it holds.

    public Map<Long, Handle> handles() {
        return handles;
    }

    public @Nullable Handle handle(long id) {
        return handles.get(id);
    }

    /**
     * What a handle keeps of a node: the file of that id, or what it was before it was cut; null if
     * it keeps nothing of it.
     */
    public @Nullable FileNode opened(long handle, long node) {
        Handle one = handles.get(handle);
        if (one != null) {
            return one.file().isOrWas(node) ? one.file() : null;
        }
        MemberGroup group = groups.get(handle);
        if (group != null) {
            for (FileNode member : group.members()) {
                if (member.isOrWas(node)) {
                    return member;
                }
            }
        }
        return null;
    }

    /** Whether it has handles for reading a file. */
    public boolean reads(FileNode file) {
        for (Handle handle : handles.values()) {
            if (handle instanceof Handle.Read && handle.file() == file) {
                return true;
            }
        }
        return groups.values().stream().anyMatch(group -> group.members().contains(file));
    }

    /**
     * Makes its handles for reading a file those of another one.
     *
     * @return how many there are
     */
    public int handOver(FileNode from, FileNode to) {
        int moved = 0;
        for (Map.Entry<Long, Handle> each : handles.entrySet()) {
            if (each.getValue() instanceof Handle.Read read && read.file() == from) {
                each.setValue(new Handle.Read(read.id(), to));
                moved++;
            }
        }
        for (MemberGroup group : groups.values()) {
            if (group.members().contains(from)) {
                group.replace(from, to);
                moved++;
            }
        }
        return moved;
    }

    /** Members of MULTIFILEs open for reading, by handle; not to be changed. */
    public Map<Long, MemberGroup> groups() {
        return Collections.unmodifiableMap(groups);
    }

    /** How many members all groups together keep. */
    public int openMembers() {
        return openMembers;
    }

    public void addGroup(MemberGroup group) {
        groups.put(group.id(), group);
        openMembers += group.members().size();
    }

    /** Removes a group and returns what it kept; nothing if there is no such group. */
    public List<FileNode> removeGroup(long handle) {
        MemberGroup group = groups.remove(handle);
        if (group == null) {
            return List.of();
        }
        openMembers -= group.members().size();
        return group.members();
    }

    /** Takes those members out of a group that lost their names before {@code millis}. */
    public List<FileNode> takeUnlinkedBefore(long handle, long millis) {
        MemberGroup group = groups.get(handle);
        if (group == null) {
            return List.of();
        }
        List<FileNode> taken = group.takeUnlinkedBefore(millis);
        openMembers -= taken.size();
        if (group.members().isEmpty()) {
            groups.remove(handle);
        }
        return taken;
    }

    /** Blocks granted for values, not bound to a file. */
    public Map<BlockId, GrantedBlock> grants() {
        return grants;
    }

    /** Ids of the nodes that go with this session; derived from the nodes, not in snapshots. */
    public SortedSet<Long> bound() {
        return bound;
    }

    // Life. Not logged: after a restart every session gets a full period.

    public long lastHeardNanos() {
        return lastHeardNanos;
    }

    public void heard(long nanos) {
        lastHeardNanos = nanos;
    }
}
