// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.cluster.ClusterStart;
import io.crail.client.BlockLocation;
import io.crail.client.CrailFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A storage server that is killed and started again over the same segments, while the client stays
 * connected: everything that the steps before have stored is there as before.
 */
final class RestartStep implements Step {
    private static final int SERVER = 0;
    private static final int SAMPLE = 4096;
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final ClusterStart cluster;
    private final List<Step> earlier;

    RestartStep(ClusterStart cluster, List<Step> earlier) {
        this.cluster = cluster;
        this.earlier = List.copyOf(earlier);
    }

    @Override
    public String subject() {
        return "a storage server killed and started again";
    }

    @Override
    public void run(Stage stage) throws IOException {
        long readable =
                Stage.time(
                        () -> {
                            cluster.killAndRestartStorage(SERVER);
                            readFromEachServer(stage);
                        });
        stage.add(Measurement.time("kill -9 until readable again", "1 server", readable));
        long compared =
                Stage.time(
                        () -> {
                            for (Step step : earlier) {
                                step.verify(stage);
                            }
                        });
        stage.add(Measurement.time("read all again, comparing", "nothing lost", compared));
    }

    /** Returns when each server has shown some bytes of the large file. */
    private static void readFromEachServer(Stage stage) throws IOException {
        Set<Integer> seen = new HashSet<>();
        try (CrailFile file = stage.client().open(FileStep.PATH).withDeadline(BOUND)) {
            for (BlockLocation location : file.locations()) {
                if (seen.add(location.server())) {
                    int bytes = (int) Math.min(SAMPLE, location.length());
                    file.readFully(location.offset(), ByteBuffer.allocateDirect(bytes));
                }
            }
        }
    }
}
