// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.target.status.HostCounters;
import java.util.concurrent.TimeUnit;

/**
 * One association of one host: a dynamic controller, made by Connect on an admin queue and gone
 * with it. Which queues it has is the subsystem's to say.
 *
 * <p>What the admin commands change is written by the thread of the admin queue only and read by
 * the threads of other queues.
 */
public final class Controller {
    private final int id;
    private final HostIdentity host;
    private final boolean discovery;
    private final Registers registers;
    private final HostCounters counters;

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
            HostCounters counters) {
        this.id = id;
        this.host = host;
        this.discovery = discovery;
        this.registers = registers;
        this.counters = counters;
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
