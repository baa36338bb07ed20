// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ServerLostException;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Handle;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.ServerState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a writer reports may become part of a node: every block granted to it, once, used as
 * far as it reaches, on a server that is there with the memory it had at the grant.
 */
final class CommitCheck {
    /** Extents of one node: 2 TiB in the largest blocks, and 80 MiB of the namenode's heap. */
    static final int MAX_EXTENTS = 1 << 21;

    /** So many blocks are compared with each other; more are looked up. */
    private static final int FEW = 8;

    private final Core core;

    CommitCheck(Core core) {
        this.core = core;
    }

    void file(Handle.Lease lease, List<CommittedExtent> items) throws CrailException {
        FileNode file = lease.file();
        ExtentList list = file.extents();
        checkCount(list.count() + items.size());
        List<CommittedExtent> fresh = items;
        if (!items.isEmpty() && list.endsWith(items.get(0).block(), items.get(0).generation())) {
            CommittedExtent first = items.get(0);
            int last = list.count() - 1;
            if (file.isSealed()
                    || first.length() < list.length(last)
                    || first.length() > list.blockLength(last)) {
                throw new InvalidArgumentException(
                        "the last block of "
                                + file.path()
                                + " holds "
                                + list.length(last)
                                + " committed bytes of "
                                + list.blockLength(last)
                                + (file.isSealed() ? " and is sealed" : "")
                                + "; it cannot become "
                                + first.length());
            }
            checkTail(first);
            if (first.length() == list.length(last) && first.tailCrc() != list.tailCrc(last)) {
                throw new InvalidArgumentException(
                        "the last block of "
                                + file.path()
                                + " has another checksum at "
                                + first.length()
                                + " bytes; committed bytes do not change");
            }
            checkReachable(first.block(), list.generation(last));
            fresh = items.subList(1, items.size());
        }
        granted(lease.grants(), fresh);
    }

    void value(Map<BlockId, GrantedBlock> grants, List<CommittedExtent> items)
            throws CrailException {
        checkCount(items.size());
        if (items.isEmpty()) {
            throw new InvalidArgumentException("a value in blocks needs at least one block");
        }
        granted(grants, items);
    }

    private void checkReachable(BlockId id, long generation) throws CrailException {
        BlockMap blocks = core.state().blocks();
        if (blocks.isLost(id.server(), id.segment(), id.record(), generation)
                || !blocks.reports().isReported(id.server(), id.segment())) {
            throw unreachable(id, generation);
        }
    }

    private void granted(Map<BlockId, GrantedBlock> grants, List<CommittedExtent> items)
            throws CrailException {
        Set<BlockId> seen = items.size() > FEW ? new HashSet<>() : Set.of();
        for (int i = 0; i < items.size(); i++) {
            CommittedExtent item = items.get(i);
            @Nullable GrantedBlock grant = grants.get(item.block());
            if (grant != null && grant.generation() != item.generation()) {
                throw lost(item.block());
            }
            if (grant == null && isDraining(item.block().server())) {
                throw new ServerLostException(
                        "storage server "
                                + item.block().server()
                                + " is being emptied, and "
                                + item.block()
                                + " is no longer granted; write it again, elsewhere");
            }
            if (grant == null || isNamedBefore(items, i, seen)) {
                throw new InvalidArgumentException(
                        "block "
                                + item.block()
                                + (grant == null ? " was not granted" : " is named twice"));
            }
            if (item.length() > grant.length()) {
                throw new InvalidArgumentException(
                        item.length() + " bytes cannot be in a block of " + grant.length());
            }
            checkTail(item);
            BlockId id = item.block();
            if (!core.state()
                    .blocks()
                    .isCommittable(id.server(), id.segment(), id.record(), grant.generation())) {
                throw unreachable(id, grant.generation());
            }
        }
    }

    /** Few are compared with each other: a value in blocks mostly has one to four. */
    private static boolean isNamedBefore(
            List<CommittedExtent> items, int index, Set<BlockId> seen) {
        BlockId block = items.get(index).block();
        if (items.size() > FEW) {
            return !seen.add(block);
        }
        for (int i = 0; i < index; i++) {
            if (items.get(i).block().equals(block)) {
                return true;
            }
        }
        return false;
    }

    private boolean isDraining(int server) {
        BlockMap blocks = core.state().blocks();
        return blocks.hasServer(server) && blocks.serverState(server) == ServerState.DRAINING;
    }

    private static void checkTail(CommittedExtent item) throws InvalidArgumentException {
        if (item.length() % BlockGeometry.CHUNK_SIZE == 0 && item.tailCrc() != 0) {
            throw new InvalidArgumentException(
                    "an extent of whole chunks has no tail checksum; it must be 0");
        }
    }

    /** What is lost for good, or what a server has yet to confirm. */
    private CrailException unreachable(BlockId id, long generation) {
        BlockMap blocks = core.state().blocks();
        if (blocks.isLost(id.server(), id.segment(), id.record(), generation)) {
            return lost(id);
        }
        return new BusyException(
                "storage server "
                        + id.server()
                        + " is not connected, or has not reported what it holds yet; the commit"
                        + " may succeed when it has");
    }

    private static ServerLostException lost(BlockId id) {
        return new ServerLostException(
                "storage server "
                        + id.server()
                        + " is gone, or came back with other memory: what was written to "
                        + id
                        + " is lost; write it again");
    }

    static void checkCount(long extents) throws InvalidArgumentException {
        if (extents > MAX_EXTENTS) {
            throw new InvalidArgumentException(
                    "a node has at most "
                            + MAX_EXTENTS
                            + " extents; this one would have "
                            + extents);
        }
    }
}
