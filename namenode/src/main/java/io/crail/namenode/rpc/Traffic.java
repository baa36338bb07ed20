// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.status.Tallies;

/**
 * Counts what comes and goes over all connections. The loop's thread writes, once for each read and
 * write of a channel, not for each request; any thread reads.
 */
public final class Traffic {
    private static final int RECEIVED = 0;
    private static final int SENT = 1;
    private static final int OPENED = 2;
    private static final int CLOSED = 3;

    private final Tallies tallies = new Tallies(4);

    void received(int bytes) {
        tallies.add(RECEIVED, bytes);
    }

    void sent(int bytes) {
        tallies.add(SENT, bytes);
    }

    void opened() {
        tallies.add(OPENED, 1);
    }

    void closed() {
        tallies.add(CLOSED, 1);
    }

    /** Bytes of requests, with their frames. */
    public long receivedBytes() {
        return tallies.get(RECEIVED);
    }

    /** Bytes of answers, with their frames. */
    public long sentBytes() {
        return tallies.get(SENT);
    }

    /** Connections that were accepted since the start. */
    public long accepted() {
        return tallies.get(OPENED);
    }

    /** Connections that are open. */
    public long open() {
        long closed = tallies.get(CLOSED); // First: what opens meanwhile is not closed yet.
        return Math.max(0, tallies.get(OPENED) - closed);
    }
}
