// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.limit.Door;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.error.InternalException;
import java.io.IOException;

/**
 * The part of one client in a row of metadata.
 *
 * @param spec the row
 * @param directory with the entries; what is created lies beside it
 * @param door of the peer
 * @param spins whether the limit spins
 * @param member number of the client in its row, from 0 on
 */
public record MetadataJob(
        MetadataSpec spec, String directory, Door door, boolean spins, int member) {
    private static final int WORDS = 14;

    /** As words for another process: {@link #parse} reads them. */
    public String text() {
        return String.join(
                " ",
                spec.operation().name(),
                spec.way().name(),
                Integer.toString(spec.processes()),
                Integer.toString(spec.threads()),
                Integer.toString(spec.depth()),
                Integer.toString(spec.entries()),
                Integer.toString(spec.page()),
                Integer.toString(spec.pathDepth()),
                spec.cores().name(),
                directory,
                Integer.toString(door.port()),
                Boolean.toString(spins),
                Integer.toString(member),
                // The last one: temporary directories may have spaces in their names.
                door.socket());
    }

    /**
     * Reads {@link #text}.
     *
     * @throws InternalException if it is nothing of that kind
     */
    public static MetadataJob parse(String text) throws InternalException {
        String[] words = text.split(" ", WORDS);
        try {
            if (words.length == WORDS) {
                MetadataSpec spec =
                        new MetadataSpec(
                                MetadataOperation.valueOf(words[0]),
                                Servers.Way.valueOf(words[1]),
                                Integer.parseInt(words[2]),
                                Integer.parseInt(words[3]),
                                Integer.parseInt(words[4]),
                                Integer.parseInt(words[5]),
                                Integer.parseInt(words[6]),
                                Integer.parseInt(words[7]),
                                Setting.valueOf(words[8]));
                Door door = new Door(Integer.parseInt(words[10]), words[13]);
                boolean spins = Boolean.parseBoolean(words[11]);
                return new MetadataJob(spec, words[9], door, spins, Integer.parseInt(words[12]));
            }
        } catch (IllegalArgumentException e) {
            throw new InternalException("'" + text + "' is no part in a benchmark", e);
        }
        throw new InternalException("'" + text + "' is no part in a benchmark");
    }

    /** The member in this process, with a client of its own. */
    public Member join(Servers servers) throws IOException {
        return new Threads(new MetadataWorkload(servers.connect(spec.way()), this), spec.threads());
    }
}
