// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.FabricCommand;
import io.crail.nvmf.fabric.FabricConnection;
import io.crail.nvmf.fabric.FabricHost;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.FabricReservations;
import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.EntryWords;
import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.NamespaceInfo;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.ReservationStatus.Registrant;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A fabric to our target that makes it look like somebody else's. */
record AlteredFabric(
        Fabric fabric,
        UnaryOperator<Duration> keepAlive,
        UnaryOperator<Optional<FabricReservations>> reservations,
        Deallocations deallocations)
        implements Fabric {

    /** What becomes of freed blocks. */
    @FunctionalInterface
    interface Deallocations {
        Deallocations PASSED = FabricNamespace::deallocate;

        void begin(FabricNamespace target, List<BlockRange> ranges, IoCompletion completion);

        default boolean possible(FabricNamespace target) {
            return target.canDeallocate();
        }

        /** A connection was closed by this side. */
        default void closed() {}
    }

    /** A target without reservations. */
    static AlteredFabric unreserved(Fabric fabric) {
        return new AlteredFabric(
                fabric, kept -> kept, found -> Optional.empty(), Deallocations.PASSED);
    }

    private static AlteredFabric preempting(Fabric fabric, Preempting how) {
        return new AlteredFabric(
                fabric,
                kept -> kept,
                found -> found.map(each -> new Preempted(each, how)),
                Deallocations.PASSED);
    }

    /** A target that registers and preempts, but ends nobody's commands. */
    static AlteredFabric withoutAborts(Fabric fabric) {
        return preempting(fabric, (found, type, key, victim) -> fail(StatusCode.INVALID_FIELD));
    }

    /** Linux's target: it tells the holder that somebody was preempted, and does nothing. */
    static AlteredFabric ignoringTheHolder(Fabric fabric) {
        return preempting(
                fabric,
                (found, type, key, victim) -> {
                    if (!holder(found).filter(each -> each.key() == key).isPresent()) {
                        found.preemptAndAbort(type, key, victim);
                    }
                });
    }

    /** A target where only the holder can be preempted; of others it is said. */
    static AlteredFabric preemptingNobody(Fabric fabric) {
        return preempting(
                fabric,
                (found, type, key, victim) -> {
                    boolean holds = holder(found).filter(h -> h.key() == victim).isPresent();
                    if (holds || victim == HostKey.NOBODY) {
                        found.preemptAndAbort(type, key, victim);
                    }
                });
    }

    /** A target that cannot preempt a client. */
    static AlteredFabric refusingToPreempt(Fabric fabric) {
        return preempting(
                fabric,
                (found, type, key, victim) -> {
                    if (!HostKey.isServer(victim) && victim != HostKey.NOBODY) {
                        fail(StatusCode.INTERNAL_ERROR);
                    }
                    found.preemptAndAbort(type, key, victim);
                });
    }

    /** A target where a command of a client hangs that loses its registration. */
    static AlteredFabric hanging(Fabric fabric) {
        return preempting(
                fabric,
                (found, type, key, victim) -> {
                    found.preemptAndAbort(type, key, victim);
                    if (!HostKey.isServer(victim)) {
                        fail(StatusCode.INTERNAL_ERROR);
                    }
                });
    }

    private static void fail(StatusCode code) throws NvmeStatusException {
        throw new NvmeStatusException("Reservation Acquire", code.status(), StatusCode.Scope.NVM);
    }

    private static Optional<Registrant> holder(FabricReservations found)
            throws NvmeException, InterruptedIOException {
        return found.report().registrants().stream().filter(Registrant::holds).findFirst();
    }

    /** The same with a target that never gives a silent host up. */
    AlteredFabric keepingForEver() {
        return new AlteredFabric(fabric, kept -> Duration.ZERO, reservations, deallocations);
    }

    /** The same with a target that keeps hosts for longer than it is asked to. */
    AlteredFabric keeping(Duration least) {
        return new AlteredFabric(
                fabric,
                kept -> kept.compareTo(least) < 0 ? least : kept,
                reservations,
                deallocations);
    }

    /** A target that does something else with freed blocks. */
    static AlteredFabric deallocating(
            Fabric fabric, boolean reservations, Deallocations deallocations) {
        return new AlteredFabric(
                fabric,
                kept -> kept,
                found -> reservations ? found : Optional.empty(),
                deallocations);
    }

    @Override
    public FabricConnection connect(NvmeAddress address, FabricHost host)
            throws NvmeException, InterruptedIOException {
        return new Connection(this, fabric.connect(address, host));
    }

    @Override
    public void close() {
        fabric.close();
    }

    private record Connection(AlteredFabric altered, FabricConnection connection)
            implements FabricConnection {
        @Override
        public FabricNamespace namespace(int id) throws NvmeException, InterruptedIOException {
            return new Namespace(altered, connection.namespace(id));
        }

        @Override
        public int maxTransferBytes() {
            return connection.maxTransferBytes();
        }

        @Override
        public Duration keepAlive() {
            return altered.keepAlive.apply(connection.keepAlive());
        }

        @Override
        public void close() {
            connection.close();
            altered.deallocations.closed();
        }
    }

    private record Namespace(AlteredFabric altered, FabricNamespace namespace)
            implements FabricNamespace {
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
            return namespace.command(opcode, firstBlock, data, words, completion);
        }

        @Override
        public void flush(IoCompletion completion) {
            namespace.flush(completion);
        }

        @Override
        public boolean canDeallocate() {
            return altered.deallocations.possible(namespace);
        }

        @Override
        public void deallocate(List<BlockRange> ranges, IoCompletion completion) {
            altered.deallocations.begin(namespace, ranges, completion);
        }

        @Override
        public Optional<FabricReservations> reservations() {
            return altered.reservations.apply(namespace.reservations());
        }
    }

    /** How a target preempts. */
    @FunctionalInterface
    private interface Preempting {
        void preempt(FabricReservations found, ReservationType type, long key, long victim)
                throws NvmeException, InterruptedIOException;
    }

    private record Preempted(FabricReservations found, Preempting how)
            implements FabricReservations {
        @Override
        public boolean supports(ReservationType type) {
            return found.supports(type);
        }

        @Override
        public void register(long key) throws NvmeException, InterruptedIOException {
            found.register(key);
        }

        @Override
        public void replaceKey(long key) throws NvmeException, InterruptedIOException {
            found.replaceKey(key);
        }

        @Override
        public void acquire(ReservationType type, long key)
                throws NvmeException, InterruptedIOException {
            found.acquire(type, key);
        }

        @Override
        public void preempt(ReservationType type, long key, long victim)
                throws NvmeException, InterruptedIOException {
            found.preempt(type, key, victim);
        }

        @Override
        public void preemptAndAbort(ReservationType type, long key, long victim)
                throws NvmeException, InterruptedIOException {
            how.preempt(found, type, key, victim);
        }

        @Override
        public void unregister(long key) throws NvmeException, InterruptedIOException {
            found.unregister(key);
        }

        @Override
        public ReservationStatus report() throws NvmeException, InterruptedIOException {
            return found.report();
        }
    }
}
