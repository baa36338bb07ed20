// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.client.CrailStream;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.error.WrongNodeTypeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams from end to end: client, namenode and storage server in one process. */
@Timeout(120)
final class StreamTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static EmbeddedCluster cluster;
    private static CrailClient client;

    @BeforeAll
    static void start() throws IOException {
        cluster = EmbeddedCluster.builder().capacity(256 << 20).segmentSize(256 << 20).start();
        client = cluster.connect();
    }

    @AfterAll
    static void stop() throws IOException {
        client.close();
        cluster.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** So many records, however many polls that takes. */
    private static List<StreamRecord> read(StreamReader reader, int count) throws CrailException {
        List<StreamRecord> all = new ArrayList<>();
        while (all.size() < count) {
            List<StreamRecord> some = reader.poll(count - all.size(), LONG);
            assertThat(some).as("records behind " + all.size()).isNotEmpty();
            all.addAll(some);
        }
        return all;
    }

    @Test
    void recordsComeBackInOrderWithTheirOffsets() throws CrailException {
        try (CrailStream stream = client.createStream("/order", StreamOptions.DEFAULT)) {
            assertThat(stream.append(bytes("one"))).isZero();
            assertThat(stream.append(bytes(""))).isEqualTo(1);
            assertThat(stream.append(bytes("three"))).isEqualTo(2);
            try (StreamReader reader = stream.readerFromEarliest()) {
                List<StreamRecord> records = read(reader, 3);
                assertThat(records).extracting(StreamRecord::offset).containsExactly(0L, 1L, 2L);
                assertThat(records)
                        .extracting(StreamRecord::toArray)
                        .containsExactly(bytes("one"), bytes(""), bytes("three"));
                assertThat(reader.poll(10, Duration.ZERO)).isEmpty();
                assertThat(reader.position()).isEqualTo(3);
            }
            assertThat(stream.info().records()).isEqualTo(3);
            assertThat(stream.info().bytes()).isEqualTo(3 * 8 + 8);
        }
    }

    @Test
    void recordsOfAnySizeAreOneStream() throws CrailException {
        int[] sizes = {
            0, 1, 100, 1024, 5_000, 65_536, 300_000, 1 << 20, 3_000_001, 100, 0, 700_000
        };
        try (CrailStream stream = client.createStream("/sizes", StreamOptions.DEFAULT)) {
            for (int i = 0; i < sizes.length; i++) {
                assertThat(stream.append(random(i, sizes[i]))).isEqualTo(i);
            }
            for (int from = 0; from < sizes.length; from++) {
                try (StreamReader reader = stream.reader(from)) {
                    List<StreamRecord> records = read(reader, sizes.length - from);
                    for (StreamRecord record : records) {
                        int i = (int) record.offset();
                        assertThat(record.toArray()).isEqualTo(random(i, sizes[i]));
                    }
                }
            }
        }
    }

    @Test
    void manyRecordsOfManyThreadsKeepTheOrderOfEach()
            throws CrailException, InterruptedException, ExecutionException {
        int threads = 4;
        int each = 2_000;
        try (CrailStream stream = client.createStream("/many", StreamOptions.DEFAULT)) {
            ExecutorService executor = Executors.newFixedThreadPool(threads);
            List<Future<List<Long>>> writers = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                writers.add(executor.submit(() -> append(stream, thread, each)));
            }
            String[] expected = new String[threads * each];
            for (int t = 0; t < threads; t++) {
                List<Long> offsets = writers.get(t).get();
                assertThat(offsets).isSorted();
                for (int i = 0; i < each; i++) {
                    assertThat(expected[offsets.get(i).intValue()]).isNull();
                    expected[offsets.get(i).intValue()] = t + ":" + i;
                }
            }
            executor.shutdown();
            try (StreamReader reader = stream.readerFromEarliest()) {
                for (StreamRecord record : read(reader, expected.length)) {
                    String text = StandardCharsets.UTF_8.decode(record.bytes()).toString();
                    assertThat(text.strip()).isEqualTo(expected[(int) record.offset()]);
                }
            }
        }
    }

    private static List<Long> append(CrailStream stream, int thread, int count)
            throws CrailException {
        Random random = new Random(thread);
        List<CrailFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = thread + ":" + i + " ".repeat(random.nextInt(3000));
            futures.add(stream.appendAsync(ByteBuffer.wrap(bytes(text))));
        }
        return futures.stream().map(CrailFuture::join).toList();
    }

    @Test
    void aReaderWaitsForTheNextRecord() throws CrailException {
        try (CrailStream stream = client.createStream("/wait", StreamOptions.DEFAULT);
                CrailClient other = cluster.connect();
                StreamReader reader = other.stream("/wait").readerFromLatest()) {
            CrailFuture<List<StreamRecord>> waiting = reader.pollAsync(10, LONG);
            assertThat(waiting).isNotDone();
            stream.append(bytes("come"));
            assertThat(waiting.join().get(0).toArray()).isEqualTo(bytes("come"));
        }
    }

    @Test
    void whatIsTrimmedIsGoneAndTheFirstOffsetIsTold() throws CrailException {
        try (CrailStream stream = client.createStream("/trim", StreamOptions.DEFAULT)) {
            for (int i = 0; i < 20; i++) {
                stream.append(random(i, i % 2 == 0 ? 10 : 70_000));
            }
            StreamReader reader = stream.reader(3);
            assertThat(stream.trim(7)).isEqualTo(7);
            assertThatThrownBy(() -> reader.poll(1, LONG))
                    .isInstanceOfSatisfying(
                            OffsetOutOfRangeException.class,
                            e -> assertThat(e.firstValid()).hasValue(7));
            reader.seek(7);
            assertThat(read(reader, 13).get(0).toArray()).isEqualTo(random(7, 70_000));
            assertThatThrownBy(() -> stream.trim(21)).isInstanceOf(OffsetOutOfRangeException.class);
            assertThat(stream.trim(20)).isEqualTo(20);
            assertThat(stream.info().records()).isZero();
            assertThat(stream.append(bytes("on"))).isEqualTo(20);
            reader.close();
        }
    }

    @Test
    void theOldestRecordsGoWhenALimitIsExceeded() throws CrailException {
        try (CrailStream stream =
                client.createStream("/kept", StreamOptions.DEFAULT.withMaxBytes(1 << 20))) {
            for (int i = 0; i < 50; i++) {
                stream.append(random(i, 100_000));
            }
            assertThat(stream.info().bytes()).isBetween(900_000L, 1L << 20);
            assertThat(stream.info().first()).isEqualTo(40);
        }
    }

    @Test
    void aStreamIsMovedToOtherServersWhileItIsRead() throws CrailException {
        try (EmbeddedCluster two =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(32 << 20)
                                .segmentSize(32 << 20)
                                .start();
                CrailClient mover = two.connect();
                CrailStream stream = mover.createStream("/moved", StreamOptions.DEFAULT);
                StreamReader reader = stream.readerFromEarliest()) {
            for (int i = 0; i < 40; i++) {
                stream.append(random(i, i % 3 == 0 ? 50 : 100_000));
            }
            assertThat(read(reader, 5)).hasSize(5);
            int server = mover.statistics().servers().get(0).id();
            mover.admin().drain(server);
            while (!mover.admin().evacuate(server, (blocks, bytes) -> {}).isEmpty()) {
                assertThat(mover.statistics().servers()).hasSize(2);
            }
            for (StreamRecord record : read(reader, 35)) {
                int i = (int) record.offset();
                assertThat(record.toArray()).isEqualTo(random(i, i % 3 == 0 ? 50 : 100_000));
            }
            assertThat(stream.append(bytes("on"))).isEqualTo(40);
        }
    }

    @Test
    void appendsGoElsewhereWhenAServerIsGone() throws CrailException {
        try (EmbeddedCluster two =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(32 << 20)
                                .segmentSize(32 << 20)
                                .start();
                CrailClient writer = two.connect();
                CrailStream stream = writer.createStream("/elsewhere", StreamOptions.DEFAULT)) {
            for (int i = 0; i < 6; i++) {
                stream.append(random(i, 100_000));
            }
            two.stopStorage(0);
            for (int i = 6; i < 12; i++) {
                assertThat(stream.append(random(i, 100_000))).isEqualTo(i);
            }
            try (StreamReader reader = stream.reader(6)) {
                for (StreamRecord record : read(reader, 6)) {
                    int i = (int) record.offset();
                    assertThat(record.toArray()).isEqualTo(random(i, 100_000));
                }
            }
        }
    }

    @Test
    void mistakesAreToldByTheirNames() throws CrailException {
        client.mkdir("/dir");
        assertThatThrownBy(() -> client.stream("/dir")).isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> client.stream("/nothing")).isInstanceOf(NoSuchNodeException.class);
        try (CrailStream stream = client.createStream("/gone", StreamOptions.DEFAULT)) {
            assertThatThrownBy(() -> stream.append(new byte[CrailStream.MAX_RECORD + 1]))
                    .isInstanceOf(InvalidArgumentException.class);
            client.delete("/gone", false);
            assertThatThrownBy(() -> stream.append(bytes("late")))
                    .isInstanceOf(NoSuchNodeException.class);
            assertThatThrownBy(stream::flush).isInstanceOf(NoSuchNodeException.class);
        }
    }

    @Test
    void theLongestRecordFits() throws CrailException {
        byte[] longest = random(1, CrailStream.MAX_RECORD);
        try (CrailStream stream = client.createStream("/longest", StreamOptions.DEFAULT)) {
            stream.append(longest);
            try (StreamReader reader = stream.readerFromEarliest()) {
                assertThat(read(reader, 1).get(0).bytes()).isEqualTo(ByteBuffer.wrap(longest));
            }
        }
        client.delete("/longest", false);
    }
}
