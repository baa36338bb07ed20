// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.client.ClientStatistics;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.MapOutputs;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaPairRDD;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Tuple2;

/** Reduce tasks look at memory of their host: when, for how long, and what happens meanwhile. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ReadInPlaceTest {
    private static final int MAPS = 4;
    private static final int RECORDS = 12_000;

    /** Of a record, half of it hardly to be compressed: more than a mebibyte for each block. */
    private static final int BYTES = 2_200;

    private static final int PARTITIONS = 3;
    private static final int CAPACITY = 128 << 20;

    /** Tasks of the same JVM meet here when they stand in the middle of their input. */
    private static volatile CountDownLatch reading = new CountDownLatch(PARTITIONS);

    private static volatile CountDownLatch goOn = new CountDownLatch(1);

    @TempDir Path directory;
    private TestApplication application;

    @SuppressWarnings("NullAway.Init") // Set by each test.
    ReadInPlaceTest() {}

    private void start(Map<String, String> settings) throws IOException {
        start(
                EmbeddedCluster.builder()
                        .servers(1)
                        .capacity(CAPACITY)
                        .segmentSize(CAPACITY)
                        .storage(server -> server.directory(directory.resolve("server")))
                        .start(),
                settings);
    }

    private void start(EmbeddedCluster cluster, Map<String, String> settings) throws IOException {
        application = TestApplication.start(cluster, TestApplication.LOCAL, settings);
        reading = new CountDownLatch(PARTITIONS);
        goOn = new CountDownLatch(1);
    }

    @AfterEach
    void stop() {
        goOn.countDown();
        application.close();
    }

    private JavaPairRDD<Integer, byte[]> records() {
        return application
                .spark()
                .parallelize(IntStream.range(0, RECORDS).boxed().toList(), MAPS)
                .mapToPair(number -> new Tuple2<>(number, value(number)))
                .partitionBy(new org.apache.spark.HashPartitioner(PARTITIONS));
    }

    private static byte[] value(int number) {
        byte[] noise = new byte[BYTES / 2];
        new Random(number).nextBytes(noise);
        return Arrays.copyOf(noise, BYTES);
    }

    /** How many records are what they should be; all of them are looked at. */
    private static long good(Iterator<Tuple2<Integer, byte[]>> records) {
        long good = 0;
        while (records.hasNext()) {
            Tuple2<Integer, byte[]> next = records.next();
            good += Arrays.equals(next._2(), value(next._1())) ? 1 : 0;
        }
        return good;
    }

    private static long readAll(JavaPairRDD<Integer, byte[]> records) {
        return records.mapPartitions(each -> List.of(good(each)).iterator())
                .reduce((one, other) -> one + other);
    }

    /** Reads the first record, waits until it may go on, and reads the others. */
    private static Iterator<Long> inTheMiddle(Iterator<Tuple2<Integer, byte[]>> records)
            throws InterruptedException {
        long first = good(List.of(records.next()).iterator());
        reading.countDown();
        goOn.await();
        return List.of(first + good(records)).iterator();
    }

    private JavaFutureAction<List<Long>> stopInTheMiddle(JavaPairRDD<Integer, byte[]> records)
            throws InterruptedException {
        JavaFutureAction<List<Long>> job =
                records.mapPartitions(ReadInPlaceTest::inTheMiddle).collectAsync();
        assertThat(reading.await(60, TimeUnit.SECONDS)).isTrue();
        return job;
    }

    private static long sum(JavaFutureAction<List<Long>> job) throws Exception {
        return job.get().stream().mapToLong(Long::longValue).sum();
    }

    /** What the client says by which the tasks read. */
    private ClientStatistics statistics() throws IOException {
        try (StoreLease lease = ApplicationStores.OF_THIS_JVM.join(application.spark().getConf())) {
            return lease.store().client().clientStatistics();
        }
    }

    private long lent() throws IOException {
        return statistics().over("shm").bytesLent();
    }

    private long copied() throws IOException {
        return statistics().bytesRead();
    }

    private static void soon(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
    }

    private void nothingIsHeld() {
        soon(() -> assertThat(statistics().viewBlocks()).isZero());
    }

    private long bytes(ToLongFunction<Statistics.Capacity> which) throws CrailException {
        return application.client().statistics().classes().stream().mapToLong(which).sum();
    }

    @Test
    void memoryOfTheHostIsReadInPlace() throws IOException {
        start(Map.of());
        JavaPairRDD<Integer, byte[]> records = records();
        Totals totals = application.during(() -> assertThat(readAll(records)).isEqualTo(RECORDS));
        assertThat(totals.localBytesRead).isEqualTo(totals.bytesWritten);
        assertThat(totals.bytesRead).isEqualTo(totals.bytesWritten);
        assertThat(totals.recordsRead).isEqualTo(RECORDS);
        assertThat(totals.localBlocks).isEqualTo(MAPS * PARTITIONS);
        assertThat(lent()).isGreaterThanOrEqualTo(totals.bytesWritten);
        assertThat(copied()).as("the indexes").isLessThan(totals.bytesWritten / 10);
        nothingIsHeld();
    }

    @Test
    void whoReadsInPlaceTakesNoMemoryForIt() throws IOException {
        start(Map.of());
        assertThat(memoryInTheMiddle()).containsOnly(0L);
        assertThat(lent()).isPositive();
    }

    @Test
    void whoCopiesAccountsForIt() throws IOException {
        start(Map.of("spark.crail.shuffle.read.views", "false"));
        assertThat(memoryInTheMiddle()).allMatch(bytes -> bytes > 0);
    }

    /** Of Spark's memory, for each reduce task when it has read its first record. */
    private List<Long> memoryInTheMiddle() {
        return records()
                .mapPartitions(
                        records -> {
                            records.next();
                            return List.of(
                                            TaskContext.get()
                                                    .taskMemoryManager()
                                                    .getMemoryConsumptionForThisTask())
                                    .iterator();
                        })
                .collect();
    }

    @Test
    void nothingIsReadInPlaceIfTheApplicationSaysSo() throws IOException {
        start(Map.of("spark.crail.shuffle.read.views", "false"));
        assertThat(readAll(records())).isEqualTo(RECORDS);
        assertThat(lent()).isZero();
    }

    @Test
    void nothingIsReadInPlaceOverTheNetwork() throws IOException {
        start(Map.of("spark.crail.client.shared-memory", "false"));
        assertThat(readAll(records())).isEqualTo(RECORDS);
        assertThat(lent()).isZero();
    }

    @Test
    void rangesOfMapsAndTinyBlocksAreReadInPlace() throws IOException {
        start(Map.of("spark.sql.adaptive.enabled", "true"));
        JavaPairRDD<Integer, byte[]> many =
                application
                        .spark()
                        .parallelize(IntStream.range(0, 2_000).boxed().toList(), 20)
                        .mapToPair(number -> new Tuple2<>(number, value(number)))
                        .partitionBy(new org.apache.spark.HashPartitioner(100));
        assertThat(readAll(many)).isEqualTo(2_000);
        assertThat(lent()).isGreaterThanOrEqualTo(2_000L * BYTES / 2);
        nothingIsHeld();
    }

    @Test
    void aTaskHoldsTheBlocksOfOneFetchHoweverMuchThereIs() throws Exception {
        start(Map.of());
        JavaFutureAction<List<Long>> job = stopInTheMiddle(records());
        // A fetch of up to a mebibyte lies in no more than two blocks.
        assertThat(statistics().viewBlocks()).isBetween(PARTITIONS, 2 * PARTITIONS);
        goOn.countDown();
        assertThat(sum(job)).isEqualTo(RECORDS);
        nothingIsHeld();
    }

    @Test
    void aTaskThatWantsNoMoreGivesEverythingBack() throws IOException {
        start(Map.of());
        assertThat(records().take(1)).hasSize(1);
        assertThat(lent()).isPositive();
        nothingIsHeld();
    }

    @Test
    void aTaskThatFailsGivesEverythingBack() throws IOException {
        start(Map.of());
        JavaPairRDD<Integer, byte[]> records = records();
        assertThatThrownBy(
                        () ->
                                records.mapPartitions(
                                                each -> {
                                                    each.next();
                                                    throw new IllegalStateException("on purpose");
                                                })
                                        .count())
                .hasStackTraceContaining("on purpose");
        assertThat(lent()).isPositive();
        nothingIsHeld();
    }

    @Test
    void aTaskThatIsKilledGivesEverythingBack() throws Exception {
        start(Map.of());
        JavaPairRDD<Integer, byte[]> records = records();
        application.spark().setJobGroup("killed", "will be killed", true);
        JavaFutureAction<List<Long>> job = stopInTheMiddle(records);
        assertThat(statistics().viewBlocks()).isPositive();
        application.spark().cancelJobGroup("killed");
        assertThatThrownBy(job::get).hasStackTraceContaining("cancelled job group");
        nothingIsHeld();
        application.spark().clearJobGroup();
        assertThat(readAll(records)).isEqualTo(RECORDS);
    }

    @Test
    void whereViewsHoldAllBlocksThatTheyMayTheOthersCopy() throws Exception {
        start(Map.of("spark.crail.client.views.blocks", "1"));
        JavaPairRDD<Integer, byte[]> records = records();
        JavaFutureAction<List<Long>> job = stopInTheMiddle(records);
        assertThat(statistics().viewBlocks()).isLessThanOrEqualTo(1);
        goOn.countDown();
        assertThat(sum(job)).isEqualTo(RECORDS);
        assertThat(lent()).isPositive();
        assertThat(copied()).isGreaterThan(1 << 20);
        nothingIsHeld();
    }

    @Test
    void whatIsFreedMeanwhileStaysAsItIsUntilItIsUsed() throws Exception {
        start(Map.of());
        JavaPairRDD<Integer, byte[]> records = records();
        JavaFutureAction<List<Long>> job = stopInTheMiddle(records);
        long held = (long) statistics().viewBlocks() << 20;
        freeOutputs();
        soon(() -> assertThat(bytes(Statistics.Capacity::committed)).isZero());
        soon(() -> assertThat(bytes(Statistics.Capacity::quarantined)).isEqualTo(held));
        // Everything else is used by others.
        try (CrailOutputStream other =
                application.client().createFile("/other", CreateOptions.OVERWRITE)) {
            other.write(new byte[CAPACITY - (int) held - (1 << 20)]);
        }
        application.client().delete("/other", false);
        goOn.countDown();
        assertThat(sum(job)).isEqualTo(RECORDS);
        nothingIsHeld();
        soon(() -> assertThat(bytes(Statistics.Capacity::quarantined)).isZero());
    }

    /** Removes all outputs, and what the tasks have open. */
    private void freeOutputs() throws IOException {
        String shuffle = application.directory() + "/0";
        try (StoreLease lease = ApplicationStores.OF_THIS_JVM.join(application.spark().getConf())) {
            for (String output : application.list(shuffle)) {
                String path = shuffle + "/" + output;
                try (MapOutputs.Lease open = lease.store().outputs().open(0, path, PARTITIONS)) {
                    open.opened().join().file().close();
                }
                application.client().delete(path, false);
            }
        }
    }

    @Test
    void aDamagedBlockMakesSparkRunThatMapAgainAndNoOther() throws IOException {
        start(Map.of());
        JavaPairRDD<Integer, byte[]> records = records();
        assertThat(readAll(records)).isEqualTo(RECORDS);
        flipIn(
                application.directory()
                        + "/0/"
                        + application.list(application.directory() + "/0").get(2));
        Totals totals = application.during(() -> assertThat(readAll(records)).isEqualTo(RECORDS));
        assertThat(totals.mapTasks).isEqualTo(1);
        assertThat(totals.failedTasks).isBetween(1, PARTITIONS);
        assertThat(statistics().checksumFailures()).isPositive();
        nothingIsHeld();
    }

    /** Flips a bit of the bytes of a file, in the memory of its server. */
    private void flipIn(String path) throws IOException {
        ByteBuffer wanted = ByteBuffer.wrap(application.read(path), 1 << 20, 4096);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                if (SegmentLayout.fileName(0).equals(String.valueOf(each.getFileName()))
                        && flip(each, wanted)) {
                    return;
                }
            }
        }
        throw new AssertionError(path + " is in no segment");
    }

    private static boolean flip(Path segment, ByteBuffer wanted) throws IOException {
        try (FileChannel channel =
                FileChannel.open(segment, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer page = ByteBuffer.allocate(4096);
            for (long at = 0; at < channel.size(); at += 4096) {
                channel.read(page.clear(), at);
                if (page.flip().equals(wanted)) {
                    page.put(77, (byte) (page.get(77) ^ 1));
                    channel.write(page, at);
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    void aServerThatIsRestartedMeanwhileCostsNothing() throws Exception {
        start(Map.of());
        JavaPairRDD<Integer, byte[]> records = records();
        assertThat(records.count()).isEqualTo(RECORDS);
        JavaFutureAction<List<Long>> job = stopInTheMiddle(records);
        application.cluster().restartStorage(0);
        goOn.countDown();
        assertThat(sum(job)).isEqualTo(RECORDS);
        nothingIsHeld();
    }

    /** Two servers, one of which is killed while the tasks look at its memory. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatIsLostMeanwhileCostsItsOutputsOnly(boolean frames) throws Exception {
        EmbeddedCluster cluster =
                EmbeddedCluster.builder()
                        .servers(0)
                        .namenode(namenode -> namenode.deadServerTime(Duration.ofSeconds(2)))
                        .start();
        Path other = Files.createDirectory(directory.resolve("other"));
        try (StorageProcess lost = StorageProcess.start(other, cluster.namenode(), 64 << 20)) {
            start(cluster, Map.of("spark.shuffle.compress", Boolean.toString(frames)));
            JavaPairRDD<Integer, byte[]> records = records();
            assertThat(records.count()).isEqualTo(RECORDS);
            cluster.addServer();
            // Most often in place; once in some runs all tasks stood at a copy here.
            JavaFutureAction<List<Long>> job = stopInTheMiddle(records);
            lost.kill();
            goOn.countDown();
            assertThat(sum(job)).isEqualTo(RECORDS);
            nothingIsHeld();
        }
    }

    /** All outputs are on flash of this host. */
    private void startOnFlash(Map<String, String> settings) throws IOException {
        EmbeddedCluster cluster = EmbeddedCluster.builder().servers(0).start();
        cluster.addServer(
                server ->
                        server.tier("nvmf")
                                .storageClass(1)
                                .capacity(CAPACITY)
                                .tierOption("file", directory.resolve("flash.img").toString())
                                .tierOption("allocation", "sparse"));
        start(cluster, settings);
    }

    private long lentByFlash() throws IOException {
        return statistics().over("nvmf").bytesLent();
    }

    /** Reads all records again until flash lends: once some of it went through the socket. */
    private void untilFlashLends(JavaPairRDD<Integer, byte[]> records) throws IOException {
        long before = lentByFlash();
        for (int i = 0; i < 20 && lentByFlash() == before; i++) {
            assertThat(readAll(records)).isEqualTo(RECORDS);
        }
        assertThat(lentByFlash()).isGreaterThan(before);
    }

    @Test
    void whatIsReadFromFlashOfTheHostStaysWhereItIsReadTo() throws IOException {
        startOnFlash(Map.of());
        JavaPairRDD<Integer, byte[]> records = records();
        untilFlashLends(records);
        long lent = lentByFlash();
        Totals totals = application.during(() -> assertThat(readAll(records)).isEqualTo(RECORDS));
        assertThat(totals.failedTasks).isZero();
        assertThat(totals.recordsRead).isEqualTo(RECORDS);
        assertThat(totals.bytesRead).isPositive();
        assertThat(lentByFlash() - lent)
                .as("of %d bytes", totals.bytesRead)
                .isBetween(totals.bytesRead / 2, 2 * totals.bytesRead);
        assertThat(statistics().checksumFailures()).isZero();
    }

    @Test
    void flashLendsNothingIfTheApplicationSaysSo() throws IOException {
        startOnFlash(Map.of("spark.crail.shuffle.read.views", "false"));
        JavaPairRDD<Integer, byte[]> records = records();
        for (int i = 0; i < 4; i++) {
            assertThat(readAll(records)).isEqualTo(RECORDS);
        }
        assertThat(lentByFlash()).isZero();
    }

    /** Each time they hold as much as they may, of what all tasks of this JVM have together. */
    @Test
    void tasksThatAreKilledGiveBackWhatFlashHasLent() throws Exception {
        startOnFlash(Map.of());
        JavaPairRDD<Integer, byte[]> records = records();
        untilFlashLends(records);
        for (int i = 0; i < 4; i++) {
            reading = new CountDownLatch(PARTITIONS);
            long before = lentByFlash();
            application.spark().setJobGroup("killed" + i, "will be killed", true);
            JavaFutureAction<List<Long>> job = stopInTheMiddle(records);
            assertThat(lentByFlash()).as("round %d", i).isGreaterThan(before);
            application.spark().cancelJobGroup("killed" + i);
            assertThatThrownBy(job::get).hasStackTraceContaining("cancelled job group");
            application.spark().clearJobGroup();
            untilFlashLends(records);
        }
    }
}
