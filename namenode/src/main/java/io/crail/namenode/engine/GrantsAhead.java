// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.namenode.block.ClassRoom;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.protocol.frame.ProtocolLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Grants blocks with the answer to a commit, for the one that is likely to follow: a call less for
 * who goes on. Quotas and placement are those of any other grant.
 *
 * <p>What is granted ahead is lent: nobody else can have it, and whoever holds it may not need it.
 * So it is given only as long as an eighth of the storage class stays free, and that there is none
 * is no reason to refuse the commit.
 */
final class GrantsAhead {
    private static final int SPARE = 8;

    private final Core core;
    private final Placement placement;
    private final Quotas quotas;

    GrantsAhead(Core core, Placement placement, Quotas quotas) {
        this.core = core;
        this.placement = placement;
        this.quotas = quotas;
    }

    /**
     * What is wanted.
     *
     * @param pieces for so many further pieces of data
     * @param bytes of so many bytes each
     * @param exact blocks that fit a piece tightly; else one that holds it
     * @param maxBlocks at most so many blocks
     * @param excluded servers on which they shall not be
     */
    record Wish(int pieces, long bytes, boolean exact, int maxBlocks, int[] excluded) {
        /** For one value of a TABLE. */
        static Wish value(long bytes, int[] excluded) {
            return new Wish(1, bytes, true, ProtocolLimits.MAX_REFERENCES, excluded);
        }

        /** For blocks of a STREAM. */
        static Wish blocks(int count, int bytes, int[] excluded) {
            return new Wish(count, bytes, false, count, excluded);
        }
    }

    /** As much of a wish as can be spared; the caller logs it, without failing in between. */
    List<GrantedBlock> spare(
            Session session, @Nullable ContainerNode parent, Attributes of, Wish wish) {
        List<GrantedBlock> grants = new ArrayList<>();
        try {
            if (wish.bytes() > 0 && isPlenty(of.storageClass(), wish)) {
                grant(session, parent, of, wish, grants);
            }
        } catch (CrailException e) {
            // What there was is in the list, and the commit goes on.
            return grants;
        }
        return grants;
    }

    /** The same for who asks for nothing else: fails if there is no block at all. */
    List<GrantedBlock> need(
            Session session, @Nullable ContainerNode parent, Attributes of, Wish wish)
            throws CrailException {
        List<GrantedBlock> grants = new ArrayList<>();
        try {
            grant(session, parent, of, wish, grants);
        } catch (CrailException e) {
            if (grants.isEmpty()) {
                throw e;
            }
        }
        return grants;
    }

    private boolean isPlenty(int storageClass, Wish wish) {
        ClassRoom room = core.state().blocks().room(storageClass);
        return room.free() - wish.pieces() * wish.bytes() >= room.capacity() / SPARE;
    }

    private void grant(
            Session session,
            @Nullable ContainerNode parent,
            Attributes of,
            Wish wish,
            List<GrantedBlock> grants)
            throws CrailException {
        boolean room = wish.bytes() > 0;
        for (int i = 0; room && i < wish.pieces() && grants.size() < wish.maxBlocks(); i++) {
            FileRequests.checkGrants(session.grants().size() + grants.size());
            long fitting =
                    quotas.grantable(parent, of.storageClass(), wish.bytes(), session.grants());
            room = fitting == wish.bytes();
            grants.addAll(
                    placement.grant(
                            session,
                            of,
                            fitting,
                            wish.exact() || !room,
                            wish.excluded(),
                            wish.maxBlocks() - grants.size()));
        }
    }
}
