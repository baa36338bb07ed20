// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Label;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;

/**
 * One row of metadata.
 *
 * @param operation what is done
 * @param way of the clients
 * @param processes clients, each in a process of its own
 * @param threads of each, sharing the client
 * @param depth operations under way of each thread; 1 = blocking calls
 * @param entries of the directory
 * @param page entries of a page
 * @param pathDepth components of a path
 * @param cores where the processes run
 */
public record MetadataSpec(
        MetadataOperation operation,
        Servers.Way way,
        int processes,
        int threads,
        int depth,
        int entries,
        int page,
        int pathDepth,
        Setting cores) {
    String setting() {
        return Ways.namenode(way)
                + ", "
                + (processes > 1 ? processes + " x " : "")
                + threads
                + (threads > 1 ? " threads" : " thread")
                + ", depth "
                + depth
                + ", "
                + cores.text();
    }

    Label label() {
        boolean spins = cores.spins(processes * threads);
        String limit =
                switch (operation) {
                    case LOOKUP, CREATE, DELETE -> depth > 1 ? "echo of 64 B" : "ping-pong";
                    case LIST_PAGE -> "64 B, answered by a page";
                    case LIST_ALL -> "64 B, answered by pages";
                };
        String how = (depth > 1 ? "pipelined " : spins ? "spinning " : "blocking ") + limit;
        return new Label(
                Wish.name(operation), setting(), Label.PER_SECOND, Ways.over(way, how), null);
    }
}
