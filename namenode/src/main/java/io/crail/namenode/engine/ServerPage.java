// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Storage servers that are told in one reply: as many as surely fit in a frame, for their number
 * only grows. Ids are never reused, so going on at an id passes nobody over.
 */
final class ServerPage<T> {
    /** What is left for everything else in the reply: sums of up to 256 storage classes. */
    private static final int REST = 32 << 10;

    private static final int ROOM = ProtocolLimits.MAX_CONTROL - REST;
    private static final int RECORD_LENGTH = Short.BYTES;

    private final BiConsumer<T, WireWriter> encoder;
    private final WireWriter scratch = new WireWriter(1 << 10, ROOM);
    private final List<T> servers = new ArrayList<>();
    private final int room;
    private int bytes;
    private int next;

    private ServerPage(BiConsumer<T, WireWriter> encoder, int room) {
        this.encoder = encoder;
        this.room = room;
    }

    /** A page of a reply, still empty. */
    static <T> ServerPage<T> ofFrame(BiConsumer<T, WireWriter> encoder) {
        return new ServerPage<>(encoder, ROOM);
    }

    /** A page that takes all, for those in this process. */
    static <T> ServerPage<T> ofAll(BiConsumer<T, WireWriter> encoder) {
        return new ServerPage<>(encoder, Integer.MAX_VALUE);
    }

    /**
     * Adds a server if it fits; else it is the first of the next page.
     *
     * @return whether it was added
     */
    boolean add(int id, T server) {
        scratch.rewindTo(0);
        encoder.accept(server, scratch);
        int more = RECORD_LENGTH + scratch.position();
        if (bytes + more > room) {
            next = id;
            return false;
        }
        bytes += more;
        servers.add(server);
        return true;
    }

    List<T> servers() {
        return servers;
    }

    /** Where the next page begins; 0 if there is none. */
    int next() {
        return next;
    }
}
