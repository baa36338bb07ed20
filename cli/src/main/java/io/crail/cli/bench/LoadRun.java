// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.limit.Peer;
import io.crail.bench.load.Arena;
import io.crail.bench.load.Benchmark;
import io.crail.bench.load.LoadRow;
import io.crail.bench.load.Pace;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.cli.command.ClientConfigurations;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * One run of a general benchmark, in a cluster of its own or, if the user names a namenode, in an
 * existing one. Whatever it makes lies in one directory, which goes on every path: success,
 * failure, signal, and, since it is bound to the session of a client, the end of this process.
 */
final class LoadRun {
    private final Invocation invocation;
    private final Benchmark benchmark;
    private final Pace pace;
    private final ResultLines lines;
    private final ResultProgress.Naming naming;

    /**
     * A run.
     *
     * @param options already checked, so that nothing is started in vain
     */
    LoadRun(Invocation invocation, Benchmark benchmark, LoadOptions options) throws IOException {
        this.invocation = invocation;
        this.benchmark = benchmark;
        this.pace = options.pace();
        this.lines = new ResultLines(invocation, options.file());
        this.naming =
                invocation.namenodesOfOption().isEmpty() ? Switches::ofAll : Switches::ofClients;
    }

    /** Measures, and shows the results. */
    void run() throws IOException {
        List<Endpoint> existing = invocation.namenodesOfOption();
        checkSettings(!existing.isEmpty());
        List<Result> results;
        if (existing.isEmpty()) {
            List<String> configuration = invocation.configurationOptions();
            results =
                    new BenchCluster(invocation, benchmark.capacity(), configuration)
                            .run(
                                    cluster ->
                                            measure(
                                                    List.of(cluster.namenode()),
                                                    BenchCluster.processes(cluster)));
        } else {
            invocation
                    .console()
                    .err()
                    .println(
                            "the limits are those of this machine, and the processor time is that"
                                    + " of clients alone");
            results = measure(existing, List.of());
        }
        if (!lines.areOutput()) {
            new Report(naming.name(results, invocation.configuration())).print(invocation.out());
        }
    }

    /** Whether processes can run where the rows want them. */
    private void checkSettings(boolean existing) throws IOException {
        for (LoadRow row : benchmark.rows()) {
            Setting setting = row.cores();
            if (existing && setting.isFixed()) {
                throw new InvalidArgumentException(
                        "--setting "
                                + setting.text()
                                + ": the servers of an existing cluster cannot be confined to"
                                + " cores; leave out --setting or --namenode");
            }
            if (!setting.isPossible()) {
                throw new InvalidArgumentException(
                        "--setting " + setting.text() + ": this process may use one core only");
            }
        }
    }

    private List<Result> measure(List<Endpoint> namenodes, List<ProcessHandle> servers)
            throws IOException {
        Servers.Connector connector = connector(namenodes);
        String directory = "/bench-" + UUID.randomUUID();
        try (CrailClient client = connector.connect(Servers.Way.TCP)) {
            client.mkdir(directory, CreateOptions.builder().sessionBound(true).build());
            Leftovers.Removal removal =
                    invocation.leftovers().add(() -> client.delete(directory, true));
            boolean complete = false;
            try {
                List<Result> results = measure(connector, namenodes, servers, client, directory);
                complete = true;
                return results;
            } finally {
                remove(client, directory, complete);
                invocation.leftovers().forget(removal);
            }
        }
    }

    /** What went wrong before is what the user has to know. */
    private void remove(CrailClient client, String directory, boolean complete) throws IOException {
        try {
            client.delete(directory, true);
        } catch (IOException e) {
            if (complete) {
                throw e;
            }
            invocation.warn(directory + " goes when the session ends: " + e.getMessage());
        }
    }

    private List<Result> measure(
            Servers.Connector connector,
            List<Endpoint> namenodes,
            List<ProcessHandle> servers,
            CrailClient client,
            String directory)
            throws IOException {
        try (Peer peer = Peer.start(benchmark.limitBytes());
                Helpers helpers = new Helpers(invocation, namenodes, pace);
                ResultProgress progress =
                        new ResultProgress(invocation, benchmark.rows().size(), lines, naming)) {
            Arena arena =
                    new Arena(
                            new Servers(connector, servers),
                            peer,
                            client,
                            directory,
                            pace,
                            helpers);
            return arena.run(benchmark.rows(), progress);
        }
    }

    private Servers.Connector connector(List<Endpoint> namenodes) throws IOException {
        return connector(invocation.configuration(), namenodes);
    }

    /** Clients with the configuration of the user, but for the way that a row is about. */
    static Servers.Connector connector(Configuration values, List<Endpoint> namenodes) {
        return way ->
                CrailClient.connect(
                        ClientConfigurations.oneWay(
                                values, namenodes, "bench", way == Servers.Way.LOCAL));
    }
}
