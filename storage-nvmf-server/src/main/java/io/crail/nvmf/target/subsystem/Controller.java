// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.target.memory.DataShare;
import io.crail.nvmf.target.status.HostCounters;
import io.crail.nvmf.wire.command.AsyncEvent;
import io.crail.nvmf.wire.command.LogPageCommand;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * One association of one host: a dynamic controller, made by Connect on an admin queue and gone
 * with it. Which queues it has is the subsystem's to say.
 *
 * <p>What the admin commands change is written by the thread of the admin queue only and read by
 * the threads of other queues.
 */
public final class Controller {
    private static final int RESERVATION_EVENT =
            AsyncEvent.of(
                    AsyncEvent.TYPE_IO_COMMAND_SET,
                    AsyncEvent.RESERVATION_LOG,
                    LogPageCommand.RESERVATION_NOTIFICATION);

    private final int id;
    private final HostIdentity host;
    private final boolean discovery;
    private final Registers registers;
    private final HostCounters counters;
    private final DataShare memory;

    private final ErrorLog errors = new ErrorLog();
    private final ReservationLog notifications = new ReservationLog();
    private volatile int notificationMask;

    /** Set once, before the first command but Connect. */
    private volatile IntConsumer events = event -> {};

    private volatile long keepAliveNanos;
    private volatile boolean heard;
    private volatile boolean writeCache = true;
    private volatile int ioQueues;
    private long lastHeard;

    Controller(
            int id,
            HostIdentity host,
            boolean discovery,
            Registers registers,
            HostCounters counters,
            DataShare memory) {
        this.id = id;
        this.host = host;
        this.discovery = discovery;
        this.registers = registers;
        this.counters = counters;
        this.memory = memory;
    }

    /** CNTLID. */
    public int id() {
        return id;
    }

    public HostIdentity host() {
        return host;
    }

    /** Whether it serves the discovery log page and nothing else. */
    public boolean isDiscovery() {
        return discovery;
    }

    public Registers registers() {
        return registers;
    }

    /** Counts of its host. */
    public HostCounters counters() {
        return counters;
    }

    /** What its host holds of the memory for data, by whatever controllers. */
    public DataShare memory() {
        return memory;
    }

    /** Its commands that failed. */
    public ErrorLog errors() {
        return errors;
    }

    /** What its host has to be told of reservations. */
    public ReservationLog notifications() {
        return notifications;
    }

    /** Types of notifications that the host does not want, a bit each, for all namespaces. */
    public void notificationMask(int types) {
        notificationMask = types;
    }

    void tellOfReservation(int type, int namespaceId) {
        if (!discovery && (notificationMask & 1 << type) == 0) {
            notifications.add(type, namespaceId);
            raise(RESERVATION_EVENT);
        }
    }

    /** Who tells the host of events; takes them from any thread. */
    public void onEvent(IntConsumer listener) {
        events = listener;
    }

    /**
     * Something happened that the host may have asked to be told of. Thread-safe.
     *
     * @param event DW0 of the completion of an Asynchronous Event Request
     */
    public void raise(int event) {
        events.accept(event);
    }

    /** I/O queues that the host may connect; 0 before it asked how many. */
    public int ioQueues() {
        return ioQueues;
    }

    public void ioQueues(int granted) {
        ioQueues = granted;
    }

    /** Whether writes may wait in the device until Flush; else each is flushed. */
    public boolean hasWriteCache() {
        return writeCache;
    }

    public void writeCache(boolean enabled) {
        writeCache = enabled;
    }

    /** Keep-alive timeout; 0 for none. */
    public long keepAliveMillis() {
        return TimeUnit.NANOSECONDS.toMillis(keepAliveNanos);
    }

    public void keepAliveMillis(long millis) {
        heard = true;
        keepAliveNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /**
     * The host sent something. All traffic counts as keep-alive (TBKAS); that something came is
     * noted here, when it came by whoever looks at the clock.
     */
    public void heard() {
        if (!heard) {
            heard = true;
        }
    }

    /** The timer starts. */
    void startTimer(long nowNanos) {
        lastHeard = nowNanos;
    }

    /**
     * Whether the host was silent for longer than it may. By one thread, again and again; an
     * interval is counted from the first look after the host was heard, so it is never too short.
     */
    boolean isSilent(long nowNanos) {
        if (heard) {
            heard = false;
            lastHeard = nowNanos;
        }
        long limit = keepAliveNanos;
        return limit > 0 && nowNanos - lastHeard > limit;
    }

    @Override
    public String toString() {
        return "controller " + id + " of " + host.nqn();
    }
}
