// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.cli.command.Invocation;
import io.crail.cli.probe.HelloProbe;
import io.crail.cli.probe.StatusPage;
import io.crail.client.CrailClient;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.StateDirectory;
import io.crail.error.CrailException;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/** Asks the cluster, if there is one, and puts the checks together. One object serves one run. */
final class Examination {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Invocation invocation;
    private final Machine machine;
    private final Configuration values;
    private final Executor executor;
    private final long startMillis = System.currentTimeMillis();
    private final long startNanos = System.nanoTime();
    private String failure = "";
    private Optional<Long> namenodeAhead = Optional.empty();
    private long errorMillis;

    /**
     * @param executor runs what fetching status pages needs
     */
    Examination(Invocation invocation, Machine machine, Executor executor) throws CrailException {
        this.invocation = invocation;
        this.machine = machine;
        this.values = invocation.configuration();
        this.executor = executor;
    }

    /** All checks, in the order in which to print them. */
    List<Check> checks() throws CrailException {
        List<Endpoint> namenodes = invocation.namenodes();
        Optional<Cluster> cluster = ask(namenodes);
        String where = namenodes.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
        List<Check> checks = new ArrayList<>();
        checks.add(new JavaCheck(Runtime.version()));
        checks.add(new SharedMemoryCheck(machine, values));
        checks.add(new HugePagesCheck(machine, values));
        checks.add(new DescriptorCheck(machine));
        checks.add(new DeviceCheck(machine));
        checks.add(new AddressCheck(machine, values, hostName()));
        checks.add(new PortCheck(values, new LocalPorts(pages())));
        checks.add(new SecretCheck(values));
        checks.add(new MetadataCheck(machine, values));
        checks.add(new NamenodeCheck(where, isExpected(), cluster, failure));
        cluster.ifPresent(
                there -> {
                    checks.add(new VersionCheck(there, own()));
                    checks.add(new TransportCheck(there, values, new LocalWays()));
                });
        checks.add(new ClockCheck(machine, readings()));
        return checks;
    }

    /** Without a token if the secret cannot be read, which its own check tells. */
    private StatusPage pages() {
        Optional<String> token;
        try {
            token = AuthenticationConfig.of(values).forCaller().statusToken();
        } catch (CrailException e) {
            token = Optional.empty();
        }
        return new StatusPage(token, executor, PATIENCE);
    }

    private ClockCheck.Readings readings() {
        return new ClockCheck.Readings(
                System.currentTimeMillis() - startMillis,
                (System.nanoTime() - startNanos) / 1_000_000,
                namenodeAhead,
                errorMillis);
    }

    private boolean isExpected() throws CrailException {
        return values.isSet(ClientKeys.NAMENODES)
                || LocalCluster.find(
                                StateDirectory.ofUser(invocation.environment()),
                                LocalCluster.DEFAULT)
                        != null;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String own() {
        String version = Examination.class.getPackage().getImplementationVersion();
        return "crail " + (version == null ? "development" : version);
    }

    private Optional<Cluster> ask(List<Endpoint> namenodes) {
        Optional<Hello.Reply> hello = Optional.empty();
        boolean answers = false;
        for (int i = 0; i < namenodes.size() && !answers; i++) {
            try {
                hello = HelloProbe.ask(namenodes.get(i), PATIENCE).hello();
                answers = true;
            } catch (IOException e) {
                failure = String.valueOf(e.getMessage());
            }
        }
        if (!answers) {
            return Optional.empty();
        }
        try {
            CrailClient client = invocation.client();
            client.ping();
            long before = System.currentTimeMillis();
            Statistics.Reply statistics = client.statistics();
            long after = System.currentTimeMillis();
            if (statistics.nowMillis() > 0) {
                namenodeAhead = Optional.of(statistics.nowMillis() - (before + after) / 2);
                errorMillis = (after - before + 1) / 2;
            }
            return Optional.of(
                    new Cluster(
                            hello,
                            statistics,
                            client.servers(),
                            client.clientStatistics().namenode()));
        } catch (CrailException e) {
            failure = String.valueOf(e.getMessage());
            return Optional.empty();
        }
    }
}
