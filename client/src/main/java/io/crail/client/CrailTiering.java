// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import io.crail.protocol.message.TierPlan;
import io.crail.protocol.message.TierStatus;

/**
 * What moves between storage classes: for operators, and for movers. Thread-safe. With permissions
 * on, all but {@link #status} is for the superuser.
 */
public interface CrailTiering {
    /**
     * What became of a subtree that was to be in one class.
     *
     * @param movedBlocks blocks that were moved
     * @param movedBytes their bytes in use
     * @param busyBlocks blocks left because their files are being written
     * @param pinnedBlocks blocks left because their nodes have a class behind the one asked for
     * @param failedBlocks blocks left because they could not be read or written
     * @param failure why one of these failed, or ""
     */
    record Relocation(
            long movedBlocks,
            long movedBytes,
            long busyBlocks,
            long pinnedBlocks,
            long failedBlocks,
            String failure) {}

    /** How full the classes are, and who moves what. */
    TierStatus.Reply status() throws CrailException;

    /** Plans nothing from now on, or goes on; also after restarts. */
    void pause(boolean paused) throws CrailException;

    /**
     * Sets the water marks in percent, also for after restarts; 0 and 0 as configured.
     *
     * @throws io.crail.error.InvalidArgumentException if they are none
     */
    void setMarks(int high, int low) throws CrailException;

    /** Sets how many bytes each mover may move in a second; 0 = as each is configured. */
    void setRate(long bytesPerSecond) throws CrailException;

    /**
     * Moves what lies at and below a path, and not in a storage class, to that class, once through
     * the namespace; the bytes pass through this client, verified. Blocks until then, each step
     * within the client's deadline. May be interrupted at any time: what was moved is moved.
     */
    Relocation relocate(String path, int storageClass, CrailAdmin.Progress progress)
            throws CrailException;

    /**
     * What a mover should move next; claims the server for this client, until it is closed, or has
     * not asked for 30 s.
     *
     * @param server id of the server to work for, 0 = any that needs it
     * @param bytes most bytes to be moved
     */
    TierPlan.Reply plan(int server, int bytes) throws CrailException;

    /**
     * Moves one extent of a plan: reads and verifies it, writes it to a block of the class that the
     * plan says, with the checksums that its writer made, and swaps the blocks. At most one block
     * of the client's buffer pool is held meanwhile.
     *
     * @return true if it was moved; false if it has been removed, replaced or moved meanwhile
     */
    CrailFuture<Boolean> move(TierPlan.Reply plan, int index);
}
