// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.admin;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.wire.command.AsyncEvent;
import io.crail.nvmf.wire.status.StatusCode;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Asynchronous Event Requests of one controller that wait for an event, and events that wait for a
 * request (NVMe Base 2.0, section 5.2).
 *
 * <p>Of each type one event is kept, the last. When it was told, events of its type are told again
 * only after the host has read the log page that it names; one that came meanwhile is then told
 * even if that page showed it already, rather than be lost. For the event loop of the admin queue.
 */
final class AsyncEvents {
    /** How many requests a host may leave here; one less is AERL. */
    static final int LIMIT = 4;

    private static final int TYPES = 8;

    private final ArrayDeque<Command> held = new ArrayDeque<>();
    private final boolean[] waits = new boolean[TYPES];
    private final boolean[] masked = new boolean[TYPES];

    /** By type: the event that waits, or else the one that was told last. */
    private final int[] events = new int[TYPES];

    /**
     * Takes a request.
     *
     * @return whether it stays open; else it is answered: with an event that waited, or because
     *     there are too many
     */
    boolean hold(Command request) {
        if (held.size() >= LIMIT) {
            request.status(StatusCode.ASYNC_EVENT_LIMIT_EXCEEDED.doNotRetry());
            return false;
        }
        for (int type = 0; type < TYPES; type++) {
            if (waits[type] && !masked[type]) {
                tell(type, request);
                return false;
            }
        }
        held.add(request);
        return true;
    }

    /** Something happened: DW0 of the completion that tells of it. */
    void raise(int event, AdminPeer peer) {
        int type = AsyncEvent.type(event);
        events[type] = event;
        waits[type] = true;
        tellIfPossible(type, peer);
    }

    /** The host has read a log page, and not asked for events to be retained. */
    void wasRead(int logPage, AdminPeer peer) {
        for (int type = 0; type < TYPES; type++) {
            if (masked[type] && AsyncEvent.logPage(events[type]) == logPage) {
                masked[type] = false;
                tellIfPossible(type, peer);
            }
        }
    }

    private void tellIfPossible(int type, AdminPeer peer) {
        if (waits[type] && !masked[type] && !held.isEmpty()) {
            Command request = held.remove();
            tell(type, request);
            peer.complete(request);
        }
    }

    private void tell(int type, Command request) {
        waits[type] = false;
        masked[type] = true;
        request.result(events[type] & 0xFFFF_FFFFL);
    }

    /** Ends the request with that identifier, if it is held. */
    boolean abort(int commandId, AdminPeer peer) {
        for (Iterator<Command> each = held.iterator(); each.hasNext(); ) {
            Command request = each.next();
            if (request.commandId() == commandId) {
                each.remove();
                request.status(StatusCode.ABORT_REQUESTED.status());
                peer.complete(request);
                return true;
            }
        }
        return false;
    }
}
