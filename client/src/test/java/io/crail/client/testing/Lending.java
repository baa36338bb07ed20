// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How a transport lends what it has read, as a tier does that reads into memory which it shares
 * with its clients. Thread-safe.
 */
public final class Lending {
    private final Runnable whenLent;
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    /**
     * @param whenLent run by the poller when a read was told where its bytes are, before it ends
     */
    public Lending(Runnable whenLent) {
        this.whenLent = whenLent;
    }

    /** Loans so far. */
    public int made() {
        return made.get();
    }

    /** Loans that were not given back. */
    public int open() {
        return open.get();
    }

    /** Reads to memory of its own, and lends that. Returns the stored checksums. */
    int[] read(FakeStorage storage, BlockTransfer.Read read) throws CrailException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(read.length());
        int[] checksums = storage.read(read, bytes);
        made.incrementAndGet();
        open.incrementAndGet();
        read.lent(new Loan(bytes.flip().asReadOnlyBuffer()));
        whenLent.run();
        return checksums;
    }

    private final class Loan implements BlockLoan {
        private final ByteBuffer bytes;
        private final AtomicBoolean closed = new AtomicBoolean();

        Loan(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        @Override
        public ByteBuffer data() {
            return bytes.duplicate();
        }

        @Override
        public int[] storedChecksums() {
            return new int[0];
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                open.decrementAndGet();
            }
        }
    }
}
