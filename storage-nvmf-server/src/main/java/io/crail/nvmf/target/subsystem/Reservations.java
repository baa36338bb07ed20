// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import static io.crail.nvmf.wire.log.ReservationNotification.TYPE_REGISTRATION_PREEMPTED;
import static io.crail.nvmf.wire.log.ReservationNotification.TYPE_RESERVATION_PREEMPTED;
import static io.crail.nvmf.wire.log.ReservationNotification.TYPE_RESERVATION_RELEASED;

import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.reservation.ReservationReport;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who reserved a namespace (NVMe Base 2.0, section 8.19). Registrants are hosts, by their
 * identifier, whatever controllers they have. Nothing of it outlives the target (PTPL is not
 * supported), and a host that asks for that is refused.
 *
 * <p>Thread-safe. Changes take the lock; every access to the medium reads one immutable view, after
 * it has entered its gate: so after a change a barrier of the gates of other hosts ends what they
 * began before it, and what they begin later sees it.
 */
public final class Reservations {
    static final int MAX_REGISTRANTS = 1024;

    private static final int CONFLICT = StatusCode.RESERVATION_CONFLICT.doNotRetry();
    private static final int INVALID = StatusCode.INVALID_FIELD.doNotRetry();

    /** CPTPL: registrations are to survive a loss of power. */
    private static final int PERSIST = 3;

    private static final int PERSISTENCE_RESERVED = 1;

    /** A host's key, and the controller that it registered by. */
    private record Registrant(long key, int controllerId) {}

    /**
     * What accesses are checked against.
     *
     * @param type null without reservation
     * @param holder null without, or when all registrants hold it
     */
    private record View(
            @Nullable ReservationType type, @Nullable UUID holder, Set<UUID> registrants) {
        boolean isHeldBy(UUID host) {
            return type != null
                    && (type.isHeldByAllRegistrants()
                            ? registrants.contains(host)
                            : host.equals(holder));
        }
    }

    /**
     * How a command ended.
     *
     * @param preempted hosts that are no registrants any more because of it
     */
    public record Outcome(int status, Set<UUID> preempted) {
        static Outcome of(int status) {
            return new Outcome(status, Set.of());
        }
    }

    private final Map<UUID, Registrant> registrants = new LinkedHashMap<>();
    private @Nullable ReservationType type;
    private @Nullable UUID holder;
    private int generation;
    private ReservationListener listener = ReservationListener.NONE;
    private volatile View view = new View(null, null, Set.of());

    /** Who is to hear what hosts are to be told; told with the lock held. */
    synchronized void listener(ReservationListener hears) {
        listener = hears;
    }

    private void tell(int notification, Set<UUID> hosts, UUID but) {
        Set<UUID> others = new HashSet<>(hosts);
        others.remove(but);
        if (!others.isEmpty()) {
            listener.happened(notification, others);
        }
    }

    /** Those that shared the reservation that a host has ended have it no more. */
    private void tellOfRelease(@Nullable ReservationType before, UUID by) {
        boolean shared =
                before != null && (before.admitsRegistrants() || before.isHeldByAllRegistrants());
        if (shared && before != type) {
            tell(TYPE_RESERVATION_RELEASED, registrants.keySet(), by);
        }
    }

    /** Whether a host may read (also Compare). */
    public boolean mayRead(UUID host) {
        View now = view;
        return now.type == null || !now.type.keepsFromReading() || hasAccess(now, now.type, host);
    }

    /** Whether a host may change anything (also Flush). */
    public boolean mayWrite(UUID host) {
        View now = view;
        return now.type == null || hasAccess(now, now.type, host);
    }

    private static boolean hasAccess(View now, ReservationType type, UUID host) {
        return now.isHeldBy(host) || (type.admitsRegistrants() && now.registrants.contains(host));
    }

    /** Reservation Register (section 7.3). */
    public synchronized int register(
            UUID host,
            int controllerId,
            int action,
            boolean ignoreKey,
            int persistence,
            long currentKey,
            long newKey) {
        if (persistence == PERSIST || persistence == PERSISTENCE_RESERVED) {
            return INVALID;
        }
        Registrant known = registrants.get(host);
        boolean matches = known != null && (ignoreKey || known.key == currentKey);
        switch (action) {
            case ReservationCommand.REGISTER -> {
                if (known != null) {
                    return known.key == newKey ? Status.SUCCESS : CONFLICT;
                }
                if (registrants.size() >= MAX_REGISTRANTS) {
                    return StatusCode.INTERNAL_ERROR.doNotRetry();
                }
                registrants.put(host, new Registrant(newKey, controllerId));
            }
            case ReservationCommand.UNREGISTER -> {
                if (!matches) {
                    return CONFLICT;
                }
                ReservationType before = type;
                remove(host);
                tellOfRelease(before, host);
            }
            case ReservationCommand.REPLACE -> {
                if (!matches) {
                    return CONFLICT;
                }
                registrants.put(host, new Registrant(newKey, controllerId));
            }
            default -> {
                return INVALID;
            }
        }
        changed();
        return Status.SUCCESS;
    }

    private void remove(UUID host) {
        registrants.remove(host);
        boolean released =
                type != null
                        && (type.isHeldByAllRegistrants()
                                ? registrants.isEmpty()
                                : host.equals(holder));
        if (released) {
            hold(null, null);
        }
    }

    private void hold(@Nullable ReservationType newType, @Nullable UUID newHolder) {
        type = newType;
        holder = newHolder;
    }

    private void changed() {
        generation++;
        view = new View(type, holder, Set.copyOf(registrants.keySet()));
    }

    private boolean isRegistered(UUID host, long key) {
        Registrant known = registrants.get(host);
        return known != null && known.key == key;
    }

    /** Reservation Acquire (section 7.2), preempting included. */
    public synchronized Outcome acquire(
            UUID host, int action, @Nullable ReservationType wanted, long currentKey, long other) {
        if (wanted == null) {
            return Outcome.of(INVALID);
        }
        if (!isRegistered(host, currentKey)) {
            return Outcome.of(CONFLICT);
        }
        return switch (action) {
            case ReservationCommand.ACQUIRE -> Outcome.of(acquire(host, wanted));
            case ReservationCommand.PREEMPT, ReservationCommand.PREEMPT_AND_ABORT ->
                    preempt(host, wanted, other);
            default -> Outcome.of(INVALID);
        };
    }

    private int acquire(UUID host, ReservationType wanted) {
        if (type != null) {
            return type == wanted && view.isHeldBy(host) ? Status.SUCCESS : CONFLICT;
        }
        hold(wanted, wanted.isHeldByAllRegistrants() ? null : host);
        changed();
        return Status.SUCCESS;
    }

    private Outcome preempt(UUID host, ReservationType wanted, long key) {
        if (type == null) {
            return removeOthers(host, each -> each.key == key);
        }
        if (type.isHeldByAllRegistrants()) {
            return key == 0
                    ? takeOver(host, wanted, each -> true)
                    : removeOthers(host, each -> each.key == key);
        }
        Registrant holding = holder == null ? null : registrants.get(holder);
        if (holding != null && holding.key == key) {
            return takeOver(host, wanted, each -> each.key == key);
        }
        return key == 0 ? Outcome.of(INVALID) : removeOthers(host, each -> each.key == key);
    }

    private Outcome removeOthers(UUID host, Predicate<Registrant> which) {
        if (registrants.values().stream().noneMatch(which)) {
            return Outcome.of(CONFLICT);
        }
        Set<UUID> gone = unregister(host, which);
        tell(TYPE_REGISTRATION_PREEMPTED, gone, host);
        changed();
        return new Outcome(Status.SUCCESS, gone);
    }

    private Outcome takeOver(UUID host, ReservationType wanted, Predicate<Registrant> which) {
        ReservationType before = type;
        Set<UUID> gone = unregister(host, which);
        tell(TYPE_REGISTRATION_PREEMPTED, gone, host);
        hold(wanted, wanted.isHeldByAllRegistrants() ? null : host);
        tellOfRelease(before, host);
        changed();
        return new Outcome(Status.SUCCESS, gone);
    }

    /** Removes those registrants but for the host itself. */
    private Set<UUID> unregister(UUID host, Predicate<Registrant> which) {
        Set<UUID> gone =
                Set.copyOf(
                        registrants.keySet().stream()
                                .filter(each -> !each.equals(host))
                                .filter(each -> which.test(registrants.get(each)))
                                .toList());
        gone.forEach(this::remove);
        return gone;
    }

    /** Reservation Release (section 7.4). */
    public synchronized int release(
            UUID host, int action, boolean ignoreKey, int typeCode, long currentKey) {
        if (!registrants.containsKey(host) || (!ignoreKey && !isRegistered(host, currentKey))) {
            return CONFLICT;
        }
        switch (action) {
            case ReservationCommand.RELEASE -> {
                if (type == null || !view.isHeldBy(host)) {
                    return Status.SUCCESS;
                }
                if (type.code() != typeCode) {
                    return INVALID;
                }
                ReservationType before = type;
                hold(null, null);
                tellOfRelease(before, host);
            }
            case ReservationCommand.CLEAR -> {
                tell(TYPE_RESERVATION_PREEMPTED, registrants.keySet(), host);
                registrants.clear();
                hold(null, null);
            }
            default -> {
                return INVALID;
            }
        }
        changed();
        return Status.SUCCESS;
    }

    /** Length of the report now; it may be another one at the next call. */
    public synchronized int reportSize() {
        return ReservationReport.size(registrants.size());
    }

    /** Writes the report (section 7.5) with as many registrants as fit behind {@code at}. */
    public synchronized void report(ByteBuffer buffer, int at) {
        ReservationReport.encodeHeader(
                buffer, at, generation, type == null ? 0 : type.code(), registrants.size(), false);
        int position = at + ReservationReport.HEADER_SIZE;
        for (Map.Entry<UUID, Registrant> each : registrants.entrySet()) {
            if (position + ReservationReport.REGISTRANT_SIZE > buffer.capacity()) {
                return;
            }
            ReservationReport.encodeRegistrant(
                    buffer,
                    position,
                    each.getValue().controllerId,
                    view.isHeldBy(each.getKey()),
                    each.getValue().key,
                    each.getKey());
            position += ReservationReport.REGISTRANT_SIZE;
        }
    }
}
