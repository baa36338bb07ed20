// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The few connections that had requests lately, which the loop reads without asking the selector
 * first: a system call less for each request. All others have their turn by the selector, after
 * {@value #LOOKS_BEFORE_SELECT} looks or {@link #SELECT_NANOS}, whichever comes first. Used by the
 * loop's thread only.
 */
final class HotConnections {
    /** Reading more sockets than this in vain costs more than the selector. */
    private static final int MOST = 4;

    private static final int LOOKS_BEFORE_SELECT = 16;
    private static final long SELECT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    /** Who had nothing in so many turns in which others had is hot no more. */
    private static final int TURNS = 64;

    private final List<SocketConnection> connections = new ArrayList<>();
    private long turn;
    private int requests;
    private int requestsBefore;
    private int looks;
    private long lastSelect;

    /** A request of the connection was handled. */
    void handled(SocketConnection connection) {
        requests++;
        connection.hotTurn = turn;
        if (!connection.isHot) {
            connection.isHot = true;
            connections.add(connection);
        }
    }

    void endTurn() {
        requestsBefore = requests;
        if (requests > 0) {
            turn++;
        }
        requests = 0;
    }

    /** Whether the last turn handled any request: without, nobody is expected to send another. */
    boolean hadRequests() {
        return requestsBefore > 0;
    }

    /** Whether the last turn handled several requests, so that more may well be there. */
    boolean isBusy() {
        return requestsBefore > 1;
    }

    /** Reads the hot connections; whether anything was there. */
    boolean look() {
        boolean found = false;
        for (int i = connections.size() - 1; i >= 0; i--) {
            SocketConnection each = connections.get(i);
            if (turn - each.hotTurn > TURNS || !each.isOpen()) {
                each.isHot = false;
                connections.remove(i);
            } else {
                found |= each.look();
            }
        }
        return found;
    }

    /** Whether the selector is to be asked now, in place of another look. */
    boolean isTimeForOthers(long now) {
        boolean due =
                connections.size() > MOST
                        || ++looks >= LOOKS_BEFORE_SELECT
                        || now - lastSelect >= SELECT_NANOS;
        if (due) {
            looks = 0;
            lastSelect = now;
        }
        return due;
    }
}
