// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.namenode.block.BlockMap;
import io.crail.namenode.block.BlockState;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.MemberGroup;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Generation;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Handles, leases and grants: the part of applying mutations that sessions and block map share.
 *
 * <p>A lease that ends without a clean close seals its file: whoever held it may still be writing
 * behind the committed length, so nobody ever continues that block. The seal is broken only by a
 * further block, which a later writer got for itself: not by that writer's close, after which the
 * last block may still be the old one.
 */
final class Leases {
    private final State state;

    Leases(State state) {
        this.state = state;
    }

    void addReader(Mutation.Origin origin, FileNode file) {
        state.sessionOf(origin.session())
                .handles()
                .put(origin.requestId(), new Handle.Read(origin.requestId(), file));
        state.tree().files().addReader(file, 1);
    }

    void closeReader(long session, long id) {
        Session holder = state.sessionOf(session);
        if (holder.handle(id) instanceof Handle.Read read) {
            holder.handles().remove(id);
            state.tree().files().addReader(read.file(), -1);
            state.removal().releaseIfUnused(read.file());
        } else {
            state.released().addAll(holder.removeGroup(id));
        }
    }

    /** Opens members of a MULTIFILE together; the request id is the handle. */
    void openGroup(Mutation.Origin origin, List<FileNode> members) {
        state.sessionOf(origin.session()).addGroup(new MemberGroup(origin.requestId(), members));
        members.forEach(member -> state.tree().files().addReader(member, 1));
    }

    /** Ends the hold of a group on members that lost their names before a time. */
    void expireMembers(long session, long handle, long limitMillis) {
        state.released().addAll(state.sessionOf(session).takeUnlinkedBefore(handle, limitMillis));
    }

    /** Takes the first released members from their readers; those that nothing needs go. */
    void reapMembers(int count) {
        for (int i = 0; i < count; i++) {
            FileNode member = state.released().remove();
            state.tree().files().addReader(member, -1);
            state.removal().releaseIfUnused(member);
        }
    }

    void take(Mutation.Origin origin, FileNode file, boolean created) {
        if (file.isLeased()) {
            throw new IllegalStateException("file " + file.id() + " has a writer");
        }
        state.sessionOf(origin.session())
                .handles()
                .put(origin.requestId(), new Handle.Lease(origin.requestId(), file, created));
        state.tree().files().setLease(file, origin.session(), origin.requestId());
    }

    /** Grants blocks to a lease, or with handle 0 to the session itself. */
    void grant(long session, long handle, List<GrantedBlock> grants) {
        Map<BlockId, GrantedBlock> held = grantsOf(state.sessionOf(session), handle);
        for (GrantedBlock grant : grants) {
            grant(grant);
            GrantedBlock lost = held.put(grant.id(), grant);
            if (lost != null) {
                unreference(lost); // Its server came back with other memory.
            }
        }
    }

    private static Map<BlockId, GrantedBlock> grantsOf(Session holder, long handle) {
        if (handle == 0) {
            return holder.grants();
        }
        if (holder.handle(handle) instanceof Handle.Lease lease) {
            return lease.grants();
        }
        throw new IllegalStateException("session " + holder.id() + " has no lease " + handle);
    }

    /** Live, choosing a block has granted it already; in recovery nobody chooses. */
    private void grant(GrantedBlock grant) {
        BlockId id = grant.id();
        BlockMap blocks = state.blocks();
        if (blocks.state(id.server(), id.segment(), id.record()) != BlockState.GRANTED
                || blocks.generation(id.server(), id.segment(), id.record())
                        != grant.generation()) {
            blocks.grant(
                    id.server(),
                    id.segment(),
                    id.record(),
                    grant.length(),
                    Generation.counter(grant.generation()));
        }
    }

    /** Takes returned blocks back; those the session does not hold are ignored. */
    void release(long session, List<BlockId> returned) {
        Session holder = state.sessionOf(session);
        for (BlockId id : returned) {
            GrantedBlock grant = holder.grants().remove(id);
            if (grant != null) {
                unreference(grant);
            }
        }
    }

    private void unreference(GrantedBlock grant) {
        BlockId id = grant.id();
        state.blocks()
                .unreference(
                        id.server(), id.segment(), id.record(), grant.length(), grant.generation());
    }

    private void unreferenceAll(Map<BlockId, GrantedBlock> grants) {
        grants.values().forEach(this::unreference);
        grants.clear();
    }

    void commit(CommitFile commit, long session) {
        FileNode file = (FileNode) state.node(commit.node());
        Session holder = state.sessionOf(session);
        if (!(holder.handle(commit.handle()) instanceof Handle.Lease lease)) {
            throw new IllegalStateException("session " + session + " lost lease of " + file.id());
        }
        int blocks = file.extents().count();
        state.tree()
                .files()
                .changeExtents(
                        file, commit.version(), list -> append(lease, commit.extents(), list));
        state.useVersion(commit.version());
        if (blocks < file.extents().count()) {
            state.tree().files().setSealed(file, false);
        }
        for (BlockId id : commit.returned()) {
            GrantedBlock grant = lease.grants().remove(id);
            if (grant != null) {
                unreference(grant);
            }
        }
        state.tree().setModified(file, commit.time());
        if (commit.close()) {
            unreferenceAll(lease.grants());
            holder.handles().remove(lease.id());
            state.tree().files().setLease(file, 0, 0);
            state.removal().releaseIfUnused(file);
        }
    }

    private void append(Handle.Lease lease, List<CommittedExtent> items, ExtentList list) {
        for (int i = 0; i < items.size(); i++) {
            CommittedExtent item = items.get(i);
            GrantedBlock grant = lease.grants().get(item.block());
            if (grant != null && grant.generation() == item.generation()) {
                lease.grants().remove(item.block());
                commitBlock(item, grant, list);
            } else if (i == 0 && list.endsWith(item.block(), item.generation())) {
                list.growLast(item.length(), item.tailCrc());
            } else {
                throw new IllegalStateException(item.block() + " was not granted");
            }
        }
    }

    private void commitBlock(CommittedExtent item, GrantedBlock grant, ExtentList list) {
        BlockId id = grant.id();
        state.blocks()
                .commit(id.server(), id.segment(), id.record(), grant.length(), grant.generation());
        list.append(
                id.server(),
                id.segment(),
                id.record(),
                grant.length(),
                grant.generation(),
                item.length(),
                item.tailCrc());
    }

    /** Turns granted blocks of a session into the extents of a value. */
    void commitValue(long session, List<CommittedExtent> items, ExtentList list) {
        Map<BlockId, GrantedBlock> grants = state.sessionOf(session).grants();
        for (CommittedExtent item : items) {
            GrantedBlock grant = grants.remove(item.block());
            if (grant == null) {
                throw new IllegalStateException(item.block() + " was not granted");
            }
            commitBlock(item, grant, list);
        }
    }

    /** Puts a copy in the place of an extent's block, which nothing refers to from now on. */
    void move(long session, Node node, int index, CommittedExtent copy) {
        GrantedBlock grant = state.sessionOf(session).grants().remove(copy.block());
        if (grant == null) {
            throw new IllegalStateException(copy.block() + " was not granted");
        }
        BlockId id = grant.id();
        BlockMap blocks = state.blocks();
        blocks.commit(id.server(), id.segment(), id.record(), grant.length(), grant.generation());
        ExtentList old = Objects.requireNonNull(node.extents());
        blocks.unreference(
                old.server(index),
                old.segment(index),
                old.record(index),
                old.blockLength(index),
                old.generation(index));
        state.tree().moveExtent(node, index, id, grant.length(), grant.generation());
    }

    /** Ends the lease of a file, if there is one, without a clean close. */
    void breakLease(FileNode file) {
        if (!file.isLeased()) {
            return;
        }
        Session holder = state.sessionOf(file.leaseSession());
        if (holder.handles().remove(file.leaseHandle()) instanceof Handle.Lease lease) {
            unreferenceAll(lease.grants());
        }
        state.tree().files().setLease(file, 0, 0);
        state.tree().files().setSealed(file, true);
    }

    /** Gives back all that a session holds. */
    void releaseAll(Session session) {
        for (Handle handle : List.copyOf(session.handles().values())) {
            if (handle instanceof Handle.Lease lease) {
                breakLease(lease.file());
            } else {
                closeReader(session.id(), handle.id());
            }
        }
        List.copyOf(session.groups().keySet()).forEach(id -> closeReader(session.id(), id));
        unreferenceAll(session.grants());
    }
}
