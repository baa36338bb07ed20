// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.probe.HelloProbe;
import io.crail.cli.probe.TargetProbe;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.ProcessMark;
import io.crail.error.CancelledException;
import io.crail.protocol.config.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * How one server of a local cluster is.
 *
 * @param name of the process
 * @param state what it does
 * @param pid its process id; null if it is dead
 * @param address where it serves, or did when it was last started, if it ever said so
 * @param statusUrl where it shows its status, or did, if it ever said so
 * @param uptime how long it has run; empty if it is dead
 * @param log its log
 */
record ServerStatus(
        String name,
        State state,
        @Nullable Long pid,
        Optional<Endpoint> address,
        Optional<String> statusUrl,
        Optional<Duration> uptime,
        Path log) {
    /** What a server does. */
    enum State {
        RUNNING("running"),
        /** The process is there and says nothing: it starts, hangs or is stopped. */
        NOT_ANSWERING("not answering"),
        DEAD("dead");

        private final String words;

        State(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Asks all servers of a cluster at a time. */
    static List<ServerStatus> ofAll(LocalCluster cluster) throws CancelledException {
        List<String> names = cluster.processNames();
        ExecutorService askers = Executors.newFixedThreadPool(names.size());
        try {
            List<Future<ServerStatus>> asked = new ArrayList<>();
            for (String name : names) {
                asked.add(askers.submit(() -> of(cluster, name)));
            }
            List<ServerStatus> all = new ArrayList<>();
            for (Future<ServerStatus> one : asked) {
                all.add(one.get());
            }
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted while servers were asked", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("asking a server failed", e.getCause());
        } finally {
            askers.shutdownNow();
        }
    }

    private static ServerStatus of(LocalCluster cluster, String name) {
        Path log = LocalCluster.logFile(cluster.directory(), name);
        Optional<Endpoint> address = LocalCluster.address(cluster.directory(), name);
        Optional<String> url = LocalCluster.statusUrl(cluster.directory(), name);
        ProcessMark mark = cluster.mark(name);
        Optional<Duration> uptime = mark == null ? Optional.empty() : mark.uptime();
        if (mark == null || uptime.isEmpty()) {
            return new ServerStatus(name, State.DEAD, null, address, url, Optional.empty(), log);
        }
        boolean answers = address.map(at -> answers(name, at)).orElse(false);
        State state = answers ? State.RUNNING : State.NOT_ANSWERING;
        return new ServerStatus(name, state, mark.pid(), address, url, uptime, log);
    }

    /** A server of flash speaks NVMe/TCP where it serves. */
    private static boolean answers(String name, Endpoint at) {
        return name.equals(LocalCluster.FLASH)
                ? TargetProbe.answers(at, PATIENCE)
                : HelloProbe.answers(at, PATIENCE);
    }

    String role() {
        return LocalCluster.role(name);
    }
}
