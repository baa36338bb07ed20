// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.fabric.FabricCommand;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.FabricReservations;
import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.EntryWords;
import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.NamespaceInfo;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.ReservationStatus.Registrant;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.layout.OwnerRecord;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reservations that do what the test says, and a namespace with only an owner record in it. */
final class ManualReservations implements FabricReservations {
    static final long EPOCH = 4;

    final List<Long> registered = new ArrayList<>();

    /** How a target answers who preempts {@link HostKey#NOBODY}. */
    @Nullable StatusCode refusal = StatusCode.RESERVATION_CONFLICT;

    /** Whether those are gone that were preempted with success. */
    boolean preempts = true;

    FabricNamespace namespace() {
        return new Namespace(this);
    }

    @Override
    public boolean supports(ReservationType type) {
        return type == ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY;
    }

    @Override
    public void register(long key) {
        registered.add(key);
    }

    @Override
    public void replaceKey(long key) {
        assertThat(HostKey.epoch(key)).isEqualTo(EPOCH);
        assertThat(registered.remove(HostKey.ofClient(0, (int) key))).isTrue();
        registered.add(key);
    }

    @Override
    public void acquire(ReservationType type, long key) {
        throw new AssertionError("a client holds nothing");
    }

    @Override
    public void preempt(ReservationType type, long key, long victim) {
        throw new AssertionError("a client ends commands, too");
    }

    @Override
    public void preemptAndAbort(ReservationType type, long key, long victim)
            throws NvmeStatusException {
        assertThat(registered).contains(key);
        StatusCode code = refusal;
        if (victim == HostKey.NOBODY && code != null) {
            throw new NvmeStatusException(
                    "Reservation Acquire", code.status(), StatusCode.Scope.NVM);
        }
        if (preempts) {
            registered.remove(victim);
        }
    }

    @Override
    public void unregister(long key) {
        assertThat(registered.remove(key)).isTrue();
    }

    @Override
    public ReservationStatus report() {
        return new ReservationStatus(
                0,
                ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY,
                registered.size(),
                registered.stream()
                        .map(key -> new Registrant(new UUID(1, key), 1, key, false))
                        .toList());
    }

    private record Namespace(FabricReservations found) implements FabricNamespace {
        @Override
        public NamespaceInfo info() {
            return new NamespaceInfo(
                    1, 1024, 12, new UUID(0, 0), new UUID(0, 0), 0, 0, false, false);
        }

        @Override
        public FabricCommand command(
                int opcode,
                long firstBlock,
                ByteBuffer data,
                EntryWords words,
                IoCompletion completion) {
            assertThat(firstBlock).isEqualTo(1);
            return new FabricCommand() {
                @Override
                public void start() {
                    new OwnerRecord(new UUID(2, 2), EPOCH, 1, false).encode(data);
                    completion.ended(null);
                }

                @Override
                public void detach() {}
            };
        }

        @Override
        public void flush(IoCompletion completion) {
            throw new AssertionError("nothing is written");
        }

        @Override
        public boolean canDeallocate() {
            return false;
        }

        @Override
        public void deallocate(List<BlockRange> ranges, IoCompletion completion) {
            throw new AssertionError("nothing is freed");
        }

        @Override
        public Optional<FabricReservations> reservations() {
            return Optional.of(found);
        }
    }
}
