// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The places of a queue, and which are free. Guarded by the lock of the queue. */
final class PlaceTable {
    private final Place[] places;
    private final ArrayDeque<Place> free;
    private int waitingForEvents;

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
        free.addFirst(place); // its memory is warm
        return command;
    }

    /** Taken ones whose commands are about to be answered. */
    int expected() {
        return taken() - waitingForEvents;
    }

    int taken() {
        return places.length - free.size();
    }

    Place[] all() {
        return places;
    }
}
