// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.QuotaExceededException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.state.ServerIdentity;
import io.crail.namenode.tree.ClassBytes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Quota;
import io.crail.namenode.tree.Totals;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.CommittedExtent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a change fits the quotas of the containers it happens in. What counts is what has been
 * committed: a use never grows beyond a limit. Grants are clipped to what would still fit, so that
 * a writer near the limit learns of it before it writes; but other writers may be faster, and a
 * commit is checked again.
 *
 * <p>A limit may be set below the use: nothing is removed, and nothing is added.
 */
final class Quotas {
    private static final ClassBytes NOTHING = new ClassBytes();

    private final Core core;

    Quotas(Core core) {
        this.core = core;
    }

    private boolean none() {
        return !areThere();
    }

    /** Whether any container has a limit. */
    boolean areThere() {
        return core.state().tree().extras().hasQuotas();
    }

    /** Before nodes are made in a container, or below. */
    void checkNodes(@Nullable ContainerNode parent, long more) throws QuotaExceededException {
        check(parent, null, more, NOTHING);
    }

    /** Before a node moves to another parent, in place of another node or not. */
    void checkMove(Node moved, ContainerNode parent, @Nullable Node replaced)
            throws QuotaExceededException {
        if (none()) {
            return;
        }
        ClassBytes bytes = below(moved);
        long nodes = 1 + (moved instanceof ContainerNode c ? c.below().nodes() : 0);
        if (replaced != null) {
            bytes.add(below(replaced), -1);
            nodes--;
        }
        check(parent, moved, nodes, bytes);
    }

    /**
     * Before the blocks of files become those of another one. Up to where a source is below the
     * same container already, they are more there.
     */
    void checkConcat(FileNode target, List<FileNode> sources) throws QuotaExceededException {
        if (none()) {
            return;
        }
        Map<ContainerNode, ClassBytes> within = new HashMap<>();
        for (ContainerNode up = target.parent(); up != null; up = up.parent()) {
            within.put(up, new ClassBytes());
        }
        ClassBytes more = new ClassBytes();
        for (FileNode source : sources) {
            more.add(below(source), 1);
            ContainerNode common = source.parent();
            while (common != null && !within.containsKey(common)) {
                common = common.parent();
            }
            if (common != null) {
                within.getOrDefault(common, NOTHING).add(below(source), 1);
            }
        }
        for (ContainerNode up = target.parent(); up != null; up = up.parent()) {
            more.add(within.getOrDefault(up, NOTHING), -1);
            check(up, 0, more);
        }
    }

    private ClassBytes below(Node node) {
        return node instanceof ContainerNode container
                ? container.below().byClass()
                : core.state().tree().blocksOf(node);
    }

    /** Before granted blocks become part of a node in a container. */
    void checkCommit(
            @Nullable ContainerNode parent,
            long nodes,
            @Nullable Node replaced,
            Map<?, GrantedBlock> grants,
            List<CommittedExtent> items)
            throws QuotaExceededException {
        if (none()) {
            return;
        }
        ClassBytes bytes = new ClassBytes();
        for (CommittedExtent item : items) {
            GrantedBlock grant = grants.get(item.block());
            ServerIdentity server = core.state().servers().get(item.block().server());
            if (grant != null && server != null) {
                bytes.add(server.storageClass(), grant.length());
            }
        }
        if (replaced != null) {
            bytes.add(below(replaced), -1);
        }
        check(parent, null, nodes, bytes);
    }

    /** Where bytes come from that leave a class which is not known. */
    static final int ANOTHER_CLASS = -1;

    /** Before a block of a node is swapped for one of another class: only that one gets more. */
    void checkSwap(Node node, int intoClass, long bytes, int fromClass)
            throws QuotaExceededException {
        if (none() || intoClass == fromClass) {
            return;
        }
        for (ContainerNode up = node.parent(); up != null; up = up.parent()) {
            Long limit = up.quota().bytes().get(intoClass);
            if (limit != null && used(up, intoClass) + bytes > limit) {
                throw exceeded(up, intoClass, limit, bytes);
            }
        }
    }

    /**
     * How much of a wish for blocks fits.
     *
     * @param parent container of the node that is written
     * @param storageClass class that the blocks are asked from
     * @param wanted bytes wished
     * @param held granted blocks that the writer has not committed
     * @return {@code wanted} if its blocks fit; else less, to be granted in blocks that fit tightly
     */
    long grantable(
            @Nullable ContainerNode parent,
            int storageClass,
            long wanted,
            Map<?, GrantedBlock> held)
            throws QuotaExceededException {
        if (none() || wanted == 0) {
            return wanted;
        }
        long room = Long.MAX_VALUE;
        ClassBytes more = new ClassBytes();
        held.values().forEach(grant -> more.add(storageClass, grant.length()));
        for (ContainerNode up = parent; up != null; up = up.parent()) {
            for (Map.Entry<Integer, Long> limit : up.quota().bytes().entrySet()) {
                if (limit.getKey() == Quota.ALL_CLASSES || limit.getKey() == storageClass) {
                    long left = limit.getValue() - used(up, limit.getKey()) - more.sum();
                    if (left < BlockGeometry.SLOT_SIZE) {
                        more.add(storageClass, wanted);
                        throw exceeded(up, limit.getKey(), limit.getValue(), more.sum());
                    }
                    room = Math.min(room, left);
                }
            }
        }
        return rounded(wanted) <= room ? wanted : fitting(room);
    }

    /** Bytes of the blocks that are granted if nothing is said about a tight fit. */
    private static long rounded(long wanted) {
        long block = BlockGeometry.MAX_BLOCK;
        return wanted >= block
                ? (wanted + block - 1) / block * block
                : Math.max(BlockGeometry.SLOT_SIZE, Long.highestOneBit(2 * wanted - 1));
    }

    /** A number of bytes for which blocks are granted that hold no more than {@code room}. */
    private static long fitting(long room) {
        long block = BlockGeometry.MAX_BLOCK;
        return room >= block ? room / block * block : Long.highestOneBit(room);
    }

    private static long used(ContainerNode container, int storageClass) {
        Totals below = container.below();
        return storageClass == Quota.ALL_CLASSES
                ? below.allocated()
                : below.allocated(storageClass);
    }

    /** Up to the root, or to the first container that holds {@code inside} already. */
    private void check(
            @Nullable ContainerNode from, @Nullable Node inside, long nodes, ClassBytes bytes)
            throws QuotaExceededException {
        if (none()) {
            return;
        }
        for (ContainerNode up = from; up != null && !holds(up, inside); up = up.parent()) {
            check(up, nodes, bytes);
        }
    }

    private static boolean holds(ContainerNode container, @Nullable Node inside) {
        for (Node up = inside; up != null; up = up.parent()) {
            if (up == container) {
                return true;
            }
        }
        return false;
    }

    private static void check(ContainerNode container, long nodes, ClassBytes bytes)
            throws QuotaExceededException {
        Quota quota = container.quota();
        long count = container.below().nodes();
        if (nodes > 0 && quota.nodes() != Quota.NO_LIMIT && count + nodes > quota.nodes()) {
            throw new QuotaExceededException(
                    container.path()
                            + " may hold "
                            + quota.nodes()
                            + " nodes and holds "
                            + count
                            + ": no room for "
                            + nodes
                            + " more; remove some, or raise its quota");
        }
        for (Map.Entry<Integer, Long> limit : quota.bytes().entrySet()) {
            long more =
                    limit.getKey() == Quota.ALL_CLASSES ? bytes.sum() : bytes.of(limit.getKey());
            if (more > 0 && used(container, limit.getKey()) + more > limit.getValue()) {
                throw exceeded(container, limit.getKey(), limit.getValue(), more);
            }
        }
    }

    private static QuotaExceededException exceeded(
            ContainerNode container, int storageClass, long limit, long more) {
        return new QuotaExceededException(
                container.path()
                        + " may hold "
                        + limit
                        + " bytes of blocks"
                        + (storageClass == Quota.ALL_CLASSES
                                ? ""
                                : " in storage class " + storageClass)
                        + " and holds "
                        + used(container, storageClass)
                        + ": no room for "
                        + more
                        + " more; remove something, or raise its quota");
    }
}
