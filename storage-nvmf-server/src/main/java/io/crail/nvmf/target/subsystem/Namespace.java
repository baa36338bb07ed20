// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.target.backing.Medium;
import io.crail.nvmf.target.backing.MediumAccess;
import java.util.UUID;

/**
 * A namespace: a medium as logical blocks. Thread-safe.
 *
 * <p>Its identifier is the same in every run that serves the same medium by the same subsystem:
 * hosts recognise by it what they had.
 */
public final class Namespace {
    private final int id;
    private final UUID uuid;
    private final int blockBytes;
    private final long blocks;
    private final MediumAccess medium;
    private final Reservations reservations = new Reservations();

    /**
     * A namespace.
     *
     * @param id NSID, from 1
     * @param uuid its identifier
     * @param blockBytes 512 or 4096
     */
    public Namespace(int id, UUID uuid, int blockBytes, Medium medium) {
        this.id = id;
        this.uuid = uuid;
        this.blockBytes = blockBytes;
        this.blocks = medium.bytes() / blockBytes;
        this.medium = new MediumAccess(medium, blockBytes);
    }

    /** NSID. */
    public int id() {
        return id;
    }

    public UUID uuid() {
        return uuid;
    }

    public int blockBytes() {
        return blockBytes;
    }

    /** Number of logical blocks. */
    public long blocks() {
        return blocks;
    }

    public MediumAccess medium() {
        return medium;
    }

    public Reservations reservations() {
        return reservations;
    }

    /**
     * Whether a range lies within.
     *
     * @param first first block, unsigned
     * @param count number of blocks, not negative
     */
    public boolean contains(long first, long count) {
        return Long.compareUnsigned(first, blocks) <= 0 && count <= blocks - first;
    }

    public long positionOf(long block) {
        return block * blockBytes;
    }
}
