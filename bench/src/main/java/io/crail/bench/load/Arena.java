// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.limit.Peer;
import io.crail.bench.stage.Progress;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What rows measure with.
 *
 * @param servers the cluster
 * @param peer the other side of the limits
 * @param client lists and removes what rows have made
 * @param directory in which everything is made, absolute and empty; the caller removes it
 * @param pace how long
 * @param processes further client processes
 */
public record Arena(
        Servers servers,
        Peer peer,
        CrailClient client,
        String directory,
        Pace pace,
        Processes processes) {
    /**
     * Measures rows, one after another.
     *
     * @param progress told of each row, by its title
     */
    public List<Result> run(List<LoadRow> rows, Progress<Result> progress) throws IOException {
        List<Result> results = new ArrayList<>();
        for (LoadRow row : rows) {
            progress.begins(row.title());
            Result result = measure(row, results.size());
            results.add(result);
            progress.measured(List.of(result));
            clear();
        }
        return results;
    }

    private Result measure(LoadRow row, int number) throws IOException {
        if (!row.cores().isFixed()) {
            return row.measure(this, number);
        }
        // Compilers need cores: they get them before anybody is confined.
        new Arena(servers, peer, client, directory, pace.warmUp(), processes).warmUp(row, number);
        List<ProcessHandle> others = new ArrayList<>(servers.processes());
        others.add(peer.process());
        Setting.Confinement confinement = row.cores().confine(clients(row), others);
        try {
            return row.measure(this, number);
        } finally {
            confinement.close();
        }
    }

    private void warmUp(LoadRow row, int number) throws IOException {
        row.measure(this, number);
        clear();
    }

    private List<ProcessHandle> clients(LoadRow row) throws IOException {
        List<ProcessHandle> clients = new ArrayList<>(List.of(ProcessHandle.current()));
        for (int i = 1; i < row.processes(); i++) {
            clients.add(processes.helper(i).process());
        }
        return clients;
    }

    /** Removes whatever a row has made. */
    private void clear() throws IOException {
        List<String> names = new ArrayList<>();
        CrailIterator<DirectoryEntry> entries = client.list(directory);
        while (entries.hasNext()) {
            names.add(entries.next().name());
        }
        for (String name : names) {
            client.delete(directory + "/" + name, true);
        }
    }

    /** Client processes, started when they are first needed. */
    public interface Processes {
        /** The client process of that number, from 1 on. */
        Helper helper(int number) throws IOException;
    }

    /** A process that plays the part of a member, of one row after another. */
    public interface Helper {
        /** Its part in a row. */
        Member join(MetadataJob job) throws IOException;

        /** The process. */
        ProcessHandle process();
    }
}
