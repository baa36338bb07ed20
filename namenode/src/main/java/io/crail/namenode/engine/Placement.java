// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.block.Allocation;
import io.crail.namenode.block.PlacementPolicy;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Session;
import io.crail.namenode.tree.Attributes;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.GrantCopies;
import java.util.ArrayList;
import java.util.List;

/** From a writer's wish to granted blocks. */
final class Placement {
    private static final int[] NONE = {};

    /** Each block is chosen with them in mind. */
    private static final int MAX_EXCLUDED = 256;

    private final Core core;

    Placement(Core core) {
        this.core = core;
    }

    static void checkExcluded(int[] servers) throws InvalidArgumentException {
        if (servers.length > MAX_EXCLUDED) {
            throw new InvalidArgumentException(
                    "at most " + MAX_EXCLUDED + " servers may be excluded from a grant");
        }
    }

    /**
     * Grants blocks for {@code bytes} bytes of a node; empty for 0 bytes. The block map has them as
     * granted when this returns: the caller logs that, without failing in between.
     */
    List<GrantedBlock> grant(Session session, Attributes attributes, long bytes, boolean exact)
            throws CrailException {
        return grant(session, attributes, bytes, exact, NONE);
    }

    List<GrantedBlock> grant(
            Session session, Attributes attributes, long bytes, boolean exact, int[] excluded)
            throws CrailException {
        return grant(session, attributes, bytes, exact, excluded, ProtocolLimits.MAX_REFERENCES);
    }

    List<GrantedBlock> grant(
            Session session,
            Attributes attributes,
            long bytes,
            boolean exact,
            int[] excluded,
            int maxBlocks)
            throws CrailException {
        if (bytes == 0) {
            return List.of();
        }
        int first = attributes.storageClass();
        Classes classes = new Classes(first, GrantCopies.ANY_CLASS);
        return grant(session, attributes, classes, bytes, exact, excluded, maxBlocks);
    }

    /** A range of storage classes. */
    record Classes(int first, int last) {}

    /** As the others, from other classes than the node's and all behind it. */
    List<GrantedBlock> grant(
            Session session,
            Attributes attributes,
            Classes classes,
            long bytes,
            boolean exact,
            int[] excluded,
            int maxBlocks)
            throws CrailException {
        boolean asked = !attributes.locationClass().isEmpty();
        String location = asked ? attributes.locationClass() : session.identity().locationClass();
        Allocation wish =
                new Allocation(
                        classes.first(),
                        // Who names a place for a node wants it there, whatever goes for others.
                        asked ? PlacementPolicy.LOCAL_FIRST : core.config().placement(),
                        location,
                        location,
                        bytes,
                        exact,
                        maxBlocks,
                        excluded,
                        classes.last());
        List<GrantedBlock> grants = new ArrayList<>();
        core.state()
                .blocks()
                .allocate(
                        wish,
                        (server, segment, record, length, generation) ->
                                grants.add(
                                        new GrantedBlock(
                                                new BlockId(server, segment, record),
                                                length,
                                                generation)));
        return grants;
    }
}
