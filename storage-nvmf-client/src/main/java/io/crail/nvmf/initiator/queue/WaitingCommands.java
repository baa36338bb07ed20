// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a queue that have not been sent: those that wait for a place, and those whose
 * data waits for room in shared memory, so that small ones need not wait for large ones. Each in
 * the order in which they came.
 *
 * <p>Where commands of both kinds could go they take turns, so that none of them waits for ever.
 *
 * <p>Room comes back with the answers of the commands that have it, so that who waits for it waits
 * for nothing but these. Guarded by the lock of the queue.
 */
final class WaitingCommands {
    private final DataSharing sharing;
    private final ArrayDeque<Command> forPlace = new ArrayDeque<>();
    private final ArrayDeque<Command> forRoom = new ArrayDeque<>();
    private boolean roomsTurn;

    WaitingCommands(DataSharing sharing) {
        this.sharing = sharing;
    }

    int size() {
        return forPlace.size() + forRoom.size();
    }

    /** Whether a command that is posted now has to wait for room. */
    boolean hasToWait(Command command) {
        return sharing.isFor(command) && (!forRoom.isEmpty() || sharing.lacksRoom(command));
    }

    void add(Command command) {
        (hasToWait(command) ? forRoom : forPlace).addLast(command);
    }

    /** The next one that could be sent if there is a place; it stays first. */
    @Nullable Command peek() {
        while (!forPlace.isEmpty() && hasToWait(forPlace.getFirst())) {
            forRoom.addLast(forPlace.removeFirst());
        }
        Command room = forRoom.peekFirst();
        Command place = forPlace.peekFirst();
        if (room == null || sharing.lacksRoom(room)) {
            return place;
        }
        return place == null || roomsTurn ? room : place;
    }

    /** Takes away what {@link #peek} has returned. */
    void remove(Command peeked) {
        boolean waitedForRoom = peeked == forRoom.peekFirst();
        (waitedForRoom ? forRoom : forPlace).removeFirst();
        roomsTurn = !waitedForRoom;
    }

    void removeIf(Predicate<Command> which) {
        forPlace.removeIf(which);
        forRoom.removeIf(which);
    }

    /** Hands all of them out. */
    void clear(Consumer<Command> each) {
        forPlace.forEach(each);
        forRoom.forEach(each);
        forPlace.clear();
        forRoom.clear();
    }
}
