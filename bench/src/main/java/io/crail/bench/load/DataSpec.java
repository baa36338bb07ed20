// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.limit.Exchange;
import io.crail.bench.limit.MemoryCopy;
import io.crail.bench.limit.Peer;
import io.crail.bench.limit.RawStream;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One row of data.
 *
 * @param operation what is done
 * @param way of the client
 * @param size bytes of a read or write
 * @param depth operations under way; 1 = blocking calls
 * @param checksums whether the file keeps checksums
 * @param fileBytes bytes of the file
 * @param cores where the processes run
 */
record DataSpec(
        DataOperation operation,
        Servers.Way way,
        int size,
        int depth,
        boolean checksums,
        int fileBytes,
        Setting cores) {
    /** How often an operation finds room in the file. */
    int pieces() {
        return fileBytes / size;
    }

    String setting() {
        return (way == Servers.Way.LOCAL ? "shm, " : "tcp, ")
                + new ByteSize(size)
                + ", depth "
                + depth
                + (checksums ? ", " : ", checksums off, ")
                + cores.text();
    }

    Label label() {
        String checked = checksums ? " + CRC32C" : "";
        String limit;
        if (way == Servers.Way.LOCAL) {
            limit = "copy";
        } else if (operation.isRandom()) {
            limit =
                    (depth > 1 ? "pipelined " : spins() ? "spinning " : "blocking ")
                            + (operation.reads() ? "request, answered by " : "answered message of ")
                            + "data";
        } else {
            limit = "raw stream";
        }
        return new Label(Wish.name(operation), setting(), Label.GIGABYTES, limit + checked, null);
    }

    /** The work of the machine; what it uses is added to the resources. */
    Work limit(Peer peer, List<AutoCloseable> resources) throws IOException {
        if (way == Servers.Way.LOCAL) {
            return copies(new MemoryCopy(peer, checksums));
        }
        if (operation.isRandom()) {
            boolean spins = spins();
            Exchange.Terms terms =
                    operation.reads()
                            ? Exchange.Terms.fetch(size, checksums, spins)
                            : Exchange.Terms.store(size, checksums, spins);
            Exchange exchange = new Exchange(peer.door(false), terms, depth);
            resources.add(exchange);
            return exchange::run;
        }
        RawStream stream = new RawStream(peer, size, checksums);
        resources.add(stream);
        return (nanos, times) -> stream.run(operation.reads(), nanos);
    }

    private boolean spins() {
        return depth == 1 && cores.spins(1);
    }

    private Work copies(MemoryCopy memory) {
        Positions positions = new Positions(this, (int) (memory.size() / size));
        return Work.blocking(
                () -> {
                    if (operation.reads()) {
                        memory.read(positions.next(), size);
                    } else {
                        memory.write(positions.next(), size);
                    }
                    return true;
                });
    }

    /** Positions of one operation after another. */
    static final class Positions {
        private final SplittableRandom random = new SplittableRandom(1);
        private final DataSpec spec;
        private final int pieces;
        private int next;

        Positions(DataSpec spec, int pieces) {
            this.spec = spec;
            this.pieces = Math.max(1, pieces);
        }

        long next() {
            int piece = spec.operation.isRandom() ? random.nextInt(pieces) : next++ % pieces;
            next %= pieces;
            return (long) piece * spec.size;
        }
    }
}
