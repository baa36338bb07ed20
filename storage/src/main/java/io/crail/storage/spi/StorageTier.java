// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.message.ServerTable.Endpoint;
import java.util.List;
import java.util.UUID;

/**
 * The server half of a tier while it runs. The frame calls {@link #join} once, then {@link #admit}
 * at every registration, then {@link #revoke} as often as blocks become free, {@link #close} last.
 *
 * <p>Thread-safe. No method but {@code join}, {@code admit} and {@code close} may block.
 */
public interface StorageTier extends AutoCloseable {
    /** Where clients reach this tier, in order of preference; fixed from opening to closing. */
    List<Endpoint> endpoints();

    /** Bytes of the smallest block that this tier can serve, a size of blocks. */
    default int smallestBlock() {
        return BlockGeometry.MIN_BLOCK;
    }

    /**
     * Learns which cluster this is. Segments that survived are attached before the method returns;
     * missing ones are made in the background, and each is given to {@code listener} as soon as it
     * may be used.
     *
     * @throws CrailException if what is there belongs to another cluster, is corrupt, or there is
     *     no room; nothing is served then
     */
    void join(UUID cluster, SegmentListener listener) throws CrailException;

    /**
     * Serves clients whose tickets and references are sealed as {@code admission} says. When it
     * differs from the one before, nothing sealed under the old one can reach a block any more when
     * this method returns.
     *
     * @throws CrailException if that cannot be brought about
     */
    void admit(Admission admission) throws CrailException;

    /**
     * Steps 3 to 5 of "Freeing, step by step" in docs/adr/0001-consistency.md: refuses new requests
     * of {@code generation}, raises the generation, and calls {@code listener} when nobody can
     * reach the block under it any more, from any thread, at once or much later. May be repeated;
     * every call is answered. What names no block of this tier is ignored and logged.
     */
    void revoke(int segment, int record, int length, long generation, FreedListener listener);

    /** Counters since opening. */
    TierStatistics statistics();

    /** Ends all service and gives every resource back; what must survive a restart stays. */
    @Override
    void close();

    /**
     * Removes what the tier keeps outside of the server's directory. Called after {@link #close},
     * and only when nothing is to survive.
     */
    void remove() throws CrailException;
}
