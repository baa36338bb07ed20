// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailStream;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.error.CrailException;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams whose writers and servers die. */
@Tag("faults")
@Timeout(180)
final class StreamFaultsTest {
    private static final int WRITERS = 4;
    private static final int VICTIM = 3;
    private static final int READERS = 3;

    /** What a reader saw of each writer, and a digest of the order of all. */
    private record Seen(List<Long> order, int[] numbers, int[] ends) {}

    @Test
    void everyReaderSeesOneOrderWhoeverIsKilledMeanwhile()
            throws IOException, InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(READERS);
        try (ProcessCluster cluster =
                        ProcessCluster.builder()
                                .capacity("128 MiB")
                                .set("namenode.session.timeout", "5 s")
                                .start();
                CrailClient client = cluster.client()) {
            client.createStream("/s", StreamOptions.DEFAULT).close();
            List<Future<Seen>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                readers.add(executor.submit(() -> read(cluster)));
            }
            List<ClientProcess> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(
                        ClientProcess.start(
                                StreamWriterMain.class, cluster.namenodeAddress(), "/s", i + ""));
            }
            writers.get(VICTIM).awaitLine("acknowledged 2000");
            writers.get(VICTIM).kill();
            writers.get(0).awaitLine("acknowledged 3000");
            cluster.killNamenode();
            cluster.restartNamenode();
            cluster.awaitLive(2);
            writers.get(1).awaitLine("acknowledged 6000");
            client.mkdir(StreamWriterMain.STOP);
            for (int i = 0; i < VICTIM; i++) {
                assertThat(writers.get(i).awaitEnd()).isZero();
            }
            Seen first = readers.get(0).get();
            check(first);
            for (Future<Seen> other : readers) {
                assertThat(other.get().order).isEqualTo(first.order);
            }
            client.delete("/s", false);
            cluster.await(
                    "no block is left behind",
                    c -> {
                        var bytes = c.statistics().classes().get(0);
                        return bytes.free() == bytes.capacity();
                    });
        } finally {
            executor.shutdownNow();
        }
    }

    private static void check(Seen seen) {
        for (int writer = 0; writer < WRITERS; writer++) {
            if (writer == VICTIM) {
                assertThat(seen.numbers[writer]).isGreaterThanOrEqualTo(2000);
                assertThat(seen.ends[writer]).isZero();
            } else {
                assertThat(seen.numbers[writer]).isGreaterThanOrEqualTo(StreamWriterMain.RECORDS);
                assertThat(seen.ends[writer]).isEqualTo(seen.numbers[writer]);
            }
        }
    }

    /** Reads until all writers but the victim have ended; checks each record. */
    private static Seen read(ProcessCluster cluster) throws CrailException {
        Seen seen = new Seen(new ArrayList<>(), new int[WRITERS], new int[WRITERS]);
        try (CrailClient client = cluster.client();
                CrailStream stream = client.stream("/s");
                StreamReader reader = stream.readerFromEarliest()) {
            int ended = 0;
            while (ended < WRITERS - 1) {
                for (StreamRecord record : reader.poll(1000, Duration.ofSeconds(5))) {
                    assertThat(record.offset()).isEqualTo(seen.order.size());
                    ended += take(seen, record.bytes());
                }
            }
            return seen;
        }
    }

    private static int take(Seen seen, ByteBuffer record) {
        int writer = record.getInt(0);
        int number = record.getInt(4);
        seen.order.add(((long) writer << 32) | (number & 0xFFFF_FFFFL));
        if (number == StreamWriterMain.END) {
            assertThat(seen.ends[writer]).isZero();
            seen.ends[writer] = record.getInt(8);
            return 1;
        }
        // Its own order, nothing lost, nothing twice.
        assertThat(number).as("record of writer %s", writer).isEqualTo(seen.numbers[writer]++);
        if (!record.equals(StreamWriterMain.record(writer, number))) {
            throw new AssertionError("other bytes in record " + number + " of writer " + writer);
        }
        return 0;
    }
}
