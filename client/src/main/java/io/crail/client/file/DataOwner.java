// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.error.CrailException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who owns the memory of appended bytes: a pooled buffer, which is kept until the bytes need not be
 * written again, or the application, which gets it back as soon as they are written.
 */
final class DataOwner {
    private final @Nullable SharedLease lease;
    private final @Nullable CompletableFuture<Void> written;
    private final boolean awaited;
    private int unwritten;
    private int unreleased;
    private boolean gone;

    private DataOwner(
            int bytes,
            @Nullable SharedLease lease,
            @Nullable CompletableFuture<Void> written,
            boolean awaited) {
        this.unwritten = bytes;
        this.unreleased = bytes;
        this.lease = lease;
        this.written = written;
        this.awaited = awaited;
    }

    static DataOwner pooled(SharedLease lease, int bytes) {
        return new DataOwner(bytes, lease, null, false);
    }

    static DataOwner application(CompletableFuture<Void> written, int bytes, boolean awaited) {
        return new DataOwner(bytes, null, written, awaited);
    }

    /** Whether a thread waits on the strand until they are written: nobody else need see to it. */
    boolean isAwaited() {
        return awaited;
    }

    /** Whether the bytes are still there, to be written again if need be. */
    boolean holds() {
        return !gone;
    }

    void written(int bytes) {
        unwritten -= bytes;
        assert unwritten >= 0;
        if (unwritten == 0 && written != null) {
            gone = true;
            written.complete(null);
        }
    }

    /** Bytes that were written must be written once more. */
    void unwritten(int bytes) {
        unwritten += bytes;
    }

    void released(int bytes) {
        unreleased -= bytes;
        assert unreleased >= 0;
        if (unreleased == 0) {
            letGo();
        }
    }

    /** Memory is short: lets go of what has been written, though it might have to be again. */
    void giveUpIfWritten() {
        if (unwritten == 0) {
            letGo();
        }
    }

    /** The stream failed; the bytes are not touched any more. */
    void fail(CrailException cause) {
        letGo();
        if (written != null) {
            written.completeExceptionally(cause);
        }
    }

    private void letGo() {
        if (!gone && lease != null) {
            lease.leave();
        }
        gone = true;
    }
}
