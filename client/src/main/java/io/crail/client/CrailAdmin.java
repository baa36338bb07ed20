// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.audit.AuditReport;
import io.crail.client.audit.Finding;
import io.crail.error.CrailException;
import io.crail.protocol.message.ServerState;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What operators do to storage servers. Thread-safe.
 *
 * <p>To take a server away without loss: {@link #drain}, then {@link #evacuate} until {@link
 * Evacuation#isEmpty}. See docs/adr/0008-drain.md.
 */
public interface CrailAdmin {
    /**
     * How far a server has been emptied.
     *
     * @param movedBlocks blocks that were moved elsewhere
     * @param movedBytes their bytes in use
     * @param busyBlocks blocks left because their files are being written
     * @param failedBlocks blocks left because they could not be read or written
     * @param failure why one of these failed, or ""
     * @param usedBytes bytes of the server that are not free: 0, and it can be stopped. Blocks are
     *     free some time after they were moved
     */
    record Evacuation(
            long movedBlocks,
            long movedBytes,
            long busyBlocks,
            long failedBlocks,
            String failure,
            long usedBytes) {
        /** Whether nothing is left on the server. */
        public boolean isEmpty() {
            return usedBytes == 0;
        }
    }

    /**
     * What was taken from the clients of a server.
     *
     * @param bytes bytes of blocks that were granted to them and not yet part of a node
     * @param leases files whose writers lost them; what they had committed is there
     */
    record Revocation(long bytes, int leases) {}

    /** Hears of progress, in the caller's thread. */
    @FunctionalInterface
    interface Progress {
        void moved(long blocks, long bytes);
    }

    /**
     * The server gets no new blocks from now on, also after restarts. What it holds stays readable.
     *
     * @return its state
     * @throws io.crail.error.InvalidArgumentException if there is no such server
     */
    ServerState drain(int server) throws CrailException;

    /**
     * Takes from all clients what they hold of a server to write to, and drains it. Values and
     * streams that are being written go elsewhere by themselves; writers of files whose last block
     * lies there, or which were granted blocks there, fail with {@link
     * io.crail.error.LeaseLostException}. Views of blocks that are moved keep their memory until
     * they are closed.
     *
     * @throws io.crail.error.InvalidArgumentException if there is no such server
     */
    Revocation revoke(int server) throws CrailException;

    /** The server gets new blocks again. */
    ServerState undrain(int server) throws CrailException;

    /**
     * Moves what lies on a server elsewhere, once through the namespace; the bytes pass through
     * this client, verified. Calls block until then, each step within the client's deadline. What
     * could not be moved is counted; call again for it. May be interrupted at any time: what was
     * moved is moved.
     */
    Evacuation evacuate(int server, Progress progress) throws CrailException;

    /** What moves between storage classes. */
    CrailTiering tiering();

    /**
     * Checks that every block belongs to exactly one extent or grant, every extent to a block that
     * is there, and that all sums are right. Changes nothing; the cluster may work meanwhile. Calls
     * block until then, each step within the client's deadline. With permissions on, only the
     * superuser may.
     *
     * @param path only nodes at and below this path are checked, and no blocks; null = everything
     * @param progress hears how many things were looked at since it was called last, in the
     *     caller's thread
     */
    AuditReport check(@Nullable String path, LongConsumer progress) throws CrailException;

    /**
     * Puts a finding right: gives an orphan block back, <b>deletes</b> the node of a lost extent,
     * or sums up a container anew. The namenode looks itself before it believes the finding.
     *
     * @return false if the finding is not true, or not any more, and nothing was done
     * @throws io.crail.error.InvalidArgumentException if there is no repair for its kind
     */
    boolean repair(Finding finding) throws CrailException;
}
