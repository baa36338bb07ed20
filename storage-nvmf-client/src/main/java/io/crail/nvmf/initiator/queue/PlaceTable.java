// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The places of a queue, and which are free. Guarded by the lock of the queue. */
final class PlaceTable {
    /**
     * A fast device takes 100 us for so many bytes: longer than it takes to wake up behind them, on
     * a core that may be wanted to bring them.
     */
    static final int LONG_BYTES = 512 << 10;

    private final Place[] places;
    private final ArrayDeque<Place> free;
    private int waitingForEvents;
    private long largeBytes;

    PlaceTable(int count) {
        places = new Place[count];
        free = new ArrayDeque<>(count);
        ByteBuffer rooms = ByteBuffer.allocateDirect(count * Place.ROOM);
        for (int i = 0; i < count; i++) {
            places[i] = new Place(i, rooms.slice(i * Place.ROOM, Place.ROOM));
            free.addLast(places[i]);
        }
    }

    /** A free place, or null. */
    @Nullable Place take(Command command) {
        Place place = free.pollFirst();
        if (place != null) {
            place.take(command);
            waitingForEvents += command.waitsForEvents() ? 1 : 0;
            largeBytes += largeBytes(command);
        }
        return place;
    }

    /** The place whose command has that identifier, or null if there is none. */
    @Nullable Place find(int commandId) {
        int number = Place.numberOf(commandId);
        if (number >= places.length) {
            return null;
        }
        Place place = places[number];
        return place.stage != Place.Stage.FREE && place.commandId() == commandId ? place : null;
    }

    /** Frees a place. */
    Command release(Place place) {
        Command command = place.leave();
        waitingForEvents -= command.waitsForEvents() ? 1 : 0;
        largeBytes -= largeBytes(command);
        free.addFirst(place); // its memory is warm
        return command;
    }

    /**
     * Taken ones whose commands are about to be answered; none while large data is under way, which
     * small ones wait for at the device, too.
     */
    int expected() {
        return largeBytes < LONG_BYTES ? taken() - waitingForEvents : 0;
    }

    private static int largeBytes(Command command) {
        return command.length() >= DataSharing.LEAST ? command.length() : 0;
    }

    int taken() {
        return places.length - free.size();
    }

    Place[] all() {
        return places;
    }
}
