// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.EntryWords;
import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.NamespaceInfo;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.NvmeReservations;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.TaggedCommand;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.reservation.ReservationType;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A controller of our own initiator. Thread-safe, as that is. */
final class InitiatorConnection implements FabricConnection {
    private final NvmeController controller;

    InitiatorConnection(NvmeController controller) {
        this.controller = controller;
    }

    @Override
    public FabricNamespace namespace(int id) throws NvmeException, InterruptedIOException {
        return new Opened(controller.namespace(id));
    }

    @Override
    public int maxTransferBytes() {
        return controller.info().maxTransferBytes();
    }

    @Override
    public Duration keepAlive() {
        return controller.info().keepAlive();
    }

    @Override
    public void close() {
        controller.close();
    }

    private final class Opened implements FabricNamespace {
        private final NvmeNamespace namespace;

        Opened(NvmeNamespace namespace) {
            this.namespace = namespace;
        }

        @Override
        public NamespaceInfo info() {
            return namespace.info();
        }

        @Override
        public FabricCommand command(
                int opcode,
                long firstBlock,
                ByteBuffer data,
                EntryWords words,
                IoCompletion completion) {
            return command(opcode, firstBlock, data, words, SharedExtras.NONE, completion);
        }

        @Override
        public FabricCommand command(
                int opcode,
                long firstBlock,
                ByteBuffer data,
                EntryWords words,
                SharedExtras extras,
                IoCompletion completion) {
            return new Posted(
                    namespace.command(opcode, firstBlock, data, words, extras, completion));
        }

        @Override
        public boolean takesRiders(long firstBlock, int bytes) {
            return namespace.takesRiders(firstBlock, bytes);
        }

        @Override
        public void flush(IoCompletion completion) {
            tell(namespace.flush(), completion);
        }

        @Override
        public boolean canDeallocate() {
            return controller.info().supports(ControllerData.SUPPORTS_DATASET_MANAGEMENT);
        }

        @Override
        public void deallocate(List<BlockRange> ranges, IoCompletion completion) {
            tell(namespace.deallocate(ranges), completion);
        }

        @Override
        public Optional<FabricReservations> reservations() {
            return controller.info().supports(ControllerData.SUPPORTS_RESERVATIONS)
                    ? Optional.of(new Reserved(namespace.reservations()))
                    : Optional.empty();
        }
    }

    private static void tell(CompletableFuture<Void> outcome, IoCompletion completion) {
        CompletableFuture<?> unused =
                outcome.whenComplete(
                        (nothing, cause) ->
                                completion.ended(cause == null ? null : (NvmeException) cause));
    }

    private record Posted(TaggedCommand command) implements FabricCommand {
        @Override
        public void start() {
            command.start();
        }

        @Override
        public void detach() {
            command.detach();
        }
    }

    private record Reserved(NvmeReservations reservations) implements FabricReservations {
        @Override
        public boolean supports(ReservationType type) {
            return reservations.supports(type);
        }

        @Override
        public void register(long key) throws NvmeException, InterruptedIOException {
            reservations.register(key).await();
        }

        @Override
        public void replaceKey(long key) throws NvmeException, InterruptedIOException {
            reservations.replaceKey(key).await();
        }

        @Override
        public void acquire(ReservationType type, long key)
                throws NvmeException, InterruptedIOException {
            reservations.acquire(type, key).await();
        }

        @Override
        public void preempt(ReservationType type, long key, long victim)
                throws NvmeException, InterruptedIOException {
            reservations.preempt(type, key, victim, false).await();
        }

        @Override
        public void preemptAndAbort(ReservationType type, long key, long victim)
                throws NvmeException, InterruptedIOException {
            reservations.preempt(type, key, victim, true).await();
        }

        @Override
        public void unregister(long key) throws NvmeException, InterruptedIOException {
            reservations.unregister(key).await();
        }

        @Override
        public ReservationStatus report() throws NvmeException, InterruptedIOException {
            return reservations.report().await();
        }
    }
}
