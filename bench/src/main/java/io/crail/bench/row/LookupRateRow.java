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
 * message; beside echoes of 64 bytes, as many under way.
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
            Crew.Part part = thread -> lookups(clients.get(thread), paths, thread, stage);
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

    private static long lookups(CrailClient client, String[] paths, int seed, Stage stage)
            throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Ring ring = new Ring(DEPTH);
        long nanos = stage.effort().batchTime().toNanos();
        long start = System.nanoTime();
        long count = 0;
        while (System.nanoTime() - start < nanos) {
            String path = paths[random.nextInt(paths.length)];
            ring.add(slot -> client.statusAsync(path));
            count++;
        }
        ring.drain();
        return count;
    }

    private static long echo(Exchange echo, Stage stage) throws IOException {
        return echo.run(stage.effort().batchTime().toNanos(), new Histogram());
    }
}
