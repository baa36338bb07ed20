// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.limit.Peer;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeInitiator;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * What rows measure with.
 *
 * @param target serves the file
 * @param fio uses the same file
 * @param file that
 * @param peer the other side of raw sockets
 * @param effort how long
 */
record Arena(TargetProcess target, Fio fio, MeasuredFile file, Peer peer, NvmfEffort effort) {
    private static final int NAMESPACE = 1;

    /** What is done with a connection. */
    @FunctionalInterface
    interface Use<T> {
        T with(Calls calls) throws IOException;
    }

    /**
     * Does that over a connection of its own, by an initiator that sees the cores of now.
     *
     * @param shared whether large data goes through memory that the target shares, and the rest
     *     through its Unix socket
     */
    <T> T connected(Access access, boolean shared, Use<T> use) throws IOException {
        InitiatorConfig config = InitiatorConfig.of(UUID.randomUUID()).withSharedMemory(shared);
        try (NvmeInitiator initiator = new NvmeInitiator(config);
                NvmeController controller = initiator.connect(target.address())) {
            return use.with(new Calls(controller.namespace(NAMESPACE), access, file.bytes()));
        }
    }

    /**
     * A program that uses the file by itself. The caller closes it.
     *
     * @param shared whether bytes stay in its memory, or go to another process by sockets
     */
    CopyingProgram program(Access access, boolean shared) throws IOException {
        return shared
                ? CopyingProgram.on(file.path(), access, file.bytes())
                : CopyingProgram.to(peer, file.path(), access, file.bytes());
    }

    /** As {@link Batches#compare}, as many as the effort says. */
    Result compare(Label label, Batches.LimitBatch limit, Batches.ProductBatch product)
            throws IOException {
        return new Batches(effort.batches(), List.of(target.handle()))
                .compare(label, limit, product);
    }

    /** The processes at the other end of whatever is measured. */
    List<ProcessHandle> others() {
        return List.of(target.handle(), peer.process());
    }

    /** Nanoseconds of a batch. */
    long batchNanos() {
        return effort.batchTime().toNanos();
    }
}
