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
     * Keeps what lies at and below a path from being moved to a class behind its own because it is
     * cold, or lets it go again. It is an extended attribute of the node ({@link
     * io.crail.protocol.node.Xattrs#PINNED}), moves with it, and ends with it.
     */
    void pin(String path, boolean pinned) throws CrailException;

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
     * @param bytes most bytes to be moved; 0 = none: the claim stands, and the rate is told
     */
    TierPlan.Reply plan(int server, int bytes) throws CrailException;

    /** Hears how a plan is carried out, and sets its pace; called from the thread that asked. */
    interface Moves {
        /**
         * Before an extent is read; may wait as long as it likes.
         *
         * @return false if neither this nor any behind it is to be moved
         */
        boolean begin(int index) throws InterruptedException;

        /** The extent is moved, or was removed, replaced or moved by others meanwhile. */
        void ended(int index, boolean moved);

        /** The extent is where it was. */
        void failed(int index, CrailException cause);
    }

    /**
     * Carries out a plan: gets blocks of the classes that it says for all its extents, copies them
     * in order, each verified and with the checksums that its writer made, and swaps the blocks.
     * When it returns nothing is on its way any more, and blocks that were not needed go back.
     *
     * @param window most bytes on their way at a time, which lie in the client's buffer pool
     * @throws CrailException if the namenode could not be asked; what was told as moved is moved
     */
    void move(TierPlan.Reply plan, long window, Moves moves)
            throws CrailException, InterruptedException;
}
