// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.Exchange;
import io.crail.bench.measure.Histogram;
import io.crail.bench.stage.Crew;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Ring;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Lookups of random paths of depth 3 over four connections with 128 under way on each, one lookup a
 * message; beside echoes of 64 bytes, as many under way. Which path comes when is drawn before, and
 * the strings lie in memory in that order: to fetch one of 100,000 from anywhere took a fifth of
 * the clients' time, and no part of crail.
 */
final class LookupRateRow implements Row {
    private static final int CONNECTIONS = 4;
    private static final int DEPTH = 128;
    private static final int WIDTH = 100;
    private static final double TARGET = 700_000;

    @Override
    public String name() {
        return "lookups_per_s";
    }

    @Override
    public List<Result> measure(Stage stage) throws IOException {
        Label label =
                new Label(
                        name(),
                        CONNECTIONS + " x " + DEPTH,
                        Label.PER_SECOND,
                        "pipelined echo of 64 B",
                        Target.valueAtLeast(TARGET));
        List<CrailClient> clients = new ArrayList<>();
        List<Exchange> echoes = new ArrayList<>();
        try (Crew crew = new Crew(CONNECTIONS)) {
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(stage.servers().connect(Servers.Way.TCP));
                echoes.add(
                        new Exchange(stage.peer().door(false), Exchange.Terms.echo(false), DEPTH));
            }
            String[] paths = paths(clients.get(0), stage.effort().nodes());
            List<Lookups> members = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                members.add(new Lookups(clients.get(i), drawn(paths, new SplittableRandom(i))));
            }
            Crew.Part part = thread -> members.get(thread).run(stage);
            stage.warmUp().run(number -> crew.run(part));
            stage.warmUp().run(number -> crew.run(thread -> echo(echoes.get(thread), stage)));
            return List.of(
                    stage.compare(
                            label,
                            batch -> crew.run(thread -> echo(echoes.get(thread), stage)).figure(),
                            batch -> crew.run(part)));
        } finally {
            for (Exchange echo : echoes) {
                echo.close();
            }
            clients.forEach(CrailClient::close);
        }
    }

    private static String[] paths(CrailClient client, int count) throws IOException {
        String[] paths = new String[count];
        Ring ring = new Ring(DEPTH);
        for (int i = 0; i < count; i++) {
            String parent = "/lookups/" + i % WIDTH;
            if (i < WIDTH) {
                client.mkdir(parent, CreateOptions.PARENTS);
            }
            String path = parent + "/" + i;
            paths[i] = path;
            ring.add(slot -> client.mkdirAsync(path, CreateOptions.PARENTS));
        }
        ring.drain();
        return paths;
    }

    /** As many paths, drawn with repetition, in strings of their own. */
    private static String[] drawn(String[] paths, SplittableRandom random) {
        String[] drawn = new String[paths.length];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = new String(paths[random.nextInt(paths.length)].toCharArray());
        }
        return drawn;
    }

    /** What one thread looks up; it goes on where the last batch ended. */
    private static final class Lookups {
        private final CrailClient client;
        private final String[] paths;
        private int next;

        Lookups(CrailClient client, String[] paths) {
            this.client = client;
            this.paths = paths;
        }

        long run(Stage stage) throws IOException {
            Ring ring = new Ring(DEPTH);
            long nanos = stage.effort().batchTime().toNanos();
            long start = System.nanoTime();
            long count = 0;
            while (System.nanoTime() - start < nanos) {
                String path = paths[next];
                next = (next + 1) % paths.length;
                ring.add(slot -> client.statusAsync(path));
                count++;
            }
            ring.drain();
            return count;
        }
    }

    private static long echo(Exchange echo, Stage stage) throws IOException {
        return echo.run(stage.effort().batchTime().toNanos(), new Histogram());
    }
}
