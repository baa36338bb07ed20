// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/**
 * What is not granted again before it has been fenced, because log records may have been lost that
 * granted it. Not thread-safe: owned by the engine thread.
 */
public final class Fencing {
    private final ServerDirectory servers;

    Fencing(ServerDirectory servers) {
        this.servers = servers;
    }

    /**
     * Transition: grants may have been made that no log holds. Whatever is not known to be in use
     * is fenced before it is granted, in each segment until {@link #setFenced}.
     */
    public void suspectAll() {
        servers.forEach(
                server -> {
                    server.suspect = true;
                    for (Segment segment : server.segments) {
                        if (segment != null) {
                            segment.fenced = false;
                        }
                    }
                });
    }

    public boolean isFenced(int server, int segment) {
        return servers.segment(server, segment).fenced;
    }

    /** Whether a segment that is not fenced has been reported and has nothing left to fence. */
    public boolean isFencingComplete(int server, int segment) {
        Segment target = servers.segment(server, segment);
        return !target.fenced && target.reported && target.suspectSlabs == 0;
    }

    /**
     * Transition: a segment has been fenced. With the last one of a server, segments that it offers
     * from now on are trusted to be new: a server reports all it has before it fences anything.
     */
    public void setFenced(int server, int segment) {
        StorageServer owner = servers.get(server);
        servers.segment(server, segment).fenced = true;
        boolean all = true;
        for (Segment each : owner.segments) {
            all &= each == null || each.fenced;
        }
        owner.suspect &= !all;
    }

    /** Whether segments that a server offers are trusted to be new. */
    public boolean isSuspect(int server) {
        return servers.get(server).suspect;
    }

    /** Restores {@link #isSuspect} from a snapshot. */
    public void setSuspect(int server, boolean suspect) {
        servers.get(server).suspect = suspect;
    }
}
