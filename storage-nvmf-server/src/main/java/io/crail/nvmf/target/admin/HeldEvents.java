// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.admin;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.wire.status.StatusCode;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Asynchronous Event Requests of one controller that wait for an event (NVMe Base 2.0, section
 * 5.2). This target has none to tell: its namespaces never change while it runs. So they are held
 * until they are aborted or the association ends. For the event loop of the admin queue.
 */
final class HeldEvents {
    /** How many a host may leave here; one less is AERL. */
    static final int LIMIT = 4;

    private final ArrayDeque<Command> held = new ArrayDeque<>();

    /** Keeps a request open; false, with its status set, if there are too many. */
    boolean hold(Command request) {
        if (held.size() >= LIMIT) {
            request.status(StatusCode.ASYNC_EVENT_LIMIT_EXCEEDED.doNotRetry());
            return false;
        }
        held.add(request);
        return true;
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
