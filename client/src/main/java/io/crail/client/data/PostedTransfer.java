// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Counters;
import io.crail.client.engine.Operation;
import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;

/**
 * One attempt of a transfer, submitted to a data path. Its outcome comes on the polling thread and
 * is handed to the strand.
 */
final class PostedTransfer implements Cancellable {
    private final RepeatedTransfer owner;
    private final DataPaths.Route route;
    private final boolean afresh;
    private final BlockTransfer transfer;

    PostedTransfer(RepeatedTransfer owner, DataPaths.Route route, boolean afresh) {
        this.owner = owner;
        this.route = route;
        this.afresh = afresh;
        this.transfer = owner.bytes().write() ? new Writing() : new Reading();
    }

    void post() {
        Operation operation = owner.operation();
        operation.add(this);
        if (operation.cancelled() == null) {
            route.path().submit(transfer);
        }
        // Cancelled between the two: take back what was just submitted.
        CrailException cause = operation.cancelled();
        if (cause != null) {
            cancel(cause);
        }
    }

    private void completed(int[] stored) {
        Operation operation = owner.operation();
        operation.remove(this);
        operation.strand().execute(() -> owner.completed(stored));
    }

    private void transferFailed(CrailException cause) {
        Operation operation = owner.operation();
        operation.remove(this);
        operation.strand().execute(() -> owner.failed(route, afresh, cause));
    }

    @Override
    public void cancel(CrailException cause) {
        route.path().cancel(transfer);
        owner.operation().strand().execute(() -> owner.end(cause));
    }

    private Counters counters() {
        return owner.operation().engine().counters();
    }

    private final class Reading extends BlockTransfer.Read {
        Reading() {
            super(
                    owner.bytes().block(),
                    owner.bytes().offset(),
                    owner.bytes().data(),
                    owner.bytes().wantsChecksums());
        }

        @Override
        public int remainingMillis() {
            return owner.operation().remainingMillis();
        }

        @Override
        public void completed(int[] storedChecksums) {
            counters().blockReads.increment();
            counters().bytesRead.add(data().remaining());
            PostedTransfer.this.completed(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            transferFailed(cause);
        }
    }

    private final class Writing extends BlockTransfer.Write {
        Writing() {
            super(
                    owner.bytes().block(),
                    owner.bytes().offset(),
                    owner.bytes().data(),
                    owner.bytes().checksums());
        }

        @Override
        public int remainingMillis() {
            return owner.operation().remainingMillis();
        }

        @Override
        public void completed(int[] storedChecksums) {
            counters().blockWrites.increment();
            counters().bytesWritten.add(data().remaining());
            PostedTransfer.this.completed(storedChecksums);
        }

        @Override
        public void failed(CrailException cause) {
            transferFailed(cause);
        }
    }
}
