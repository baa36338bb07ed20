// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkException;
import org.apache.spark.api.python.PythonBroadcast;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.broadcast.TorrentBroadcast;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of broadcasts, on a driver. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BroadcastTest {
    private static final int MIB = 1 << 20;
    private static final String SECRET = "a sentence that nobody else may read";

    private TestApplication application;

    @BeforeEach
    void start() throws IOException {
        application = TestApplication.start("local[2]", with(Map.of()));
    }

    @AfterEach
    void stop() {
        application.close();
        // What the client mapped goes with its objects: clusters of all tests would not fit.
        System.gc();
    }

    /** Small values are enough for tests. */
    private static Map<String, String> with(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("spark.crail.broadcast.minSize", "1m");
        return all;
    }

    private void restart(Map<String, String> settings) throws IOException {
        stop();
        application = TestApplication.start("local[2]", with(settings));
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private <T> Broadcast<T> broadcast(T value) {
        return application.spark().broadcast(value);
    }

    private List<String> files() throws CrailException {
        return application.list(application.directory());
    }

    @Test
    @SuppressWarnings("NullAway") // Spark allows it.
    void smallValuesAreLeftToSpark() throws IOException {
        assertThat(broadcast(bytes(MIB - 1))).isInstanceOf(TorrentBroadcast.class);
        assertThat(broadcast(List.of("a", "few", "words"))).isInstanceOf(TorrentBroadcast.class);
        assertThat(broadcast((Object) null)).isInstanceOf(TorrentBroadcast.class);
        assertThat(broadcast(new byte[][] {bytes(500_000), bytes(500_000)}))
                .isInstanceOf(TorrentBroadcast.class);
        assertThat(files()).isEmpty();
    }

    @Test
    void largeValuesAreFilesOfTheApplication() throws IOException {
        Broadcast<byte[]> broadcast = broadcast(bytes(3 * MIB));
        assertThat(files()).containsExactly("broadcast-" + broadcast.id());
        assertThat(application.read(application.directory() + "/" + files().get(0)).length)
                .isBetween(3 * MIB, 3 * MIB + 1000);
    }

    @Test
    void whatCanBeCompressedIs() throws IOException {
        broadcast(new byte[3 * MIB]);
        assertThat(application.read(application.directory() + "/" + files().get(0)).length)
                .isLessThan(MIB / 10);
    }

    @Test
    void tasksOfTheDriverShareItsValue() {
        byte[] value = bytes(2 * MIB);
        Broadcast<byte[]> broadcast = broadcast(value);
        List<Integer> identities =
                application
                        .spark()
                        .parallelize(List.of(1, 2, 3, 4), 4)
                        .map(any -> System.identityHashCode(broadcast.value()))
                        .collect();
        assertThat(identities).containsOnly(System.identityHashCode(value));
    }

    @Test
    void aValueThatIsReadIsReadOnce() {
        Broadcast<byte[]> broadcast = broadcast(bytes(2 * MIB));
        BroadcastCopies.forget(broadcast);
        byte[] first = BroadcastCopies.copy(broadcast).value();
        assertThat(BroadcastCopies.copy(broadcast).value()).isSameAs(first);
    }

    @Test
    void aValueForWhichThereIsNoMemoryIsUsedNevertheless() throws IOException {
        restart(
                Map.of(
                        "spark.testing.memory",
                        Integer.toString(64 * MIB),
                        "spark.testing.reservedMemory",
                        "1000"));
        byte[] value = bytes(60 * MIB);
        Broadcast<byte[]> broadcast = broadcast(value);
        BroadcastCopies.forget(broadcast);
        byte[] first = BroadcastCopies.copy(broadcast).value();
        assertThat(Arrays.equals(first, value)).isTrue();
        assertThat(BroadcastCopies.copy(broadcast).value()).isSameAs(first);
    }

    @Test
    void whatIsUnpersistedIsReadAgain() throws IOException {
        byte[] value = bytes(2 * MIB);
        Broadcast<byte[]> broadcast = broadcast(value);
        broadcast.unpersist(true);
        assertThat(files()).hasSize(1);
        assertThat(BroadcastCopies.readAnew(broadcast).value()).isEqualTo(value);
    }

    @Test
    void whatIsDestroyedIsGone() throws IOException {
        Broadcast<byte[]> broadcast = broadcast(bytes(2 * MIB));
        Broadcast<byte[]> ofATask = BroadcastCopies.copy(broadcast);
        broadcast.destroy(true);
        assertThat(files()).isEmpty();
        assertThatThrownBy(broadcast::value)
                .isInstanceOf(SparkException.class)
                .hasMessageContaining("destroyed");
        BroadcastCopies.forget(broadcast(1));
        assertThatThrownBy(ofATask::value)
                .isInstanceOf(CrailException.class)
                .hasMessageContaining("broadcast " + broadcast.id() + " cannot be read");
    }

    @Test
    void whatNobodyHoldsIsRemoved() {
        broadcast(bytes(2 * MIB));
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> {
                            System.gc();
                            assertThat(files()).isEmpty();
                        });
    }

    @Test
    void nothingStaysWhenTheApplicationEnds() throws IOException {
        broadcast(bytes(2 * MIB));
        application.spark().stop();
        assertThat(application.list("/spark")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatCannotBeSerialisedLeavesNothing(boolean kryo) throws IOException {
        List<Object> value = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            value.add(bytes(100_000));
        }
        value.add(kryo ? new Refusal() : new Object());
        if (kryo) {
            restart(
                    Map.of(
                            "spark.serializer",
                            "org.apache.spark.serializer.KryoSerializer",
                            "spark.kryo.registrationRequired",
                            "true"));
        }
        assertThatThrownBy(() -> broadcast(value))
                .hasStackTraceContaining(
                        kryo
                                ? "Class is not registered"
                                : NotSerializableException.class.getName());
        assertThat(files()).isEmpty();
    }

    /** Of a class that nobody knows. */
    private static final class Refusal {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theStoreSeesValuesOnlyIfTheApplicationDoesNotEncrypt(boolean encrypted)
            throws IOException {
        restart(
                Map.of(
                        "spark.io.encryption.enabled",
                        Boolean.toString(encrypted),
                        "spark.broadcast.compress",
                        "false"));
        byte[] array = SECRET.repeat(50_000).getBytes(StandardCharsets.UTF_8);
        List<Object> value = List.of(array, SECRET.repeat(50_000));
        Broadcast<List<Object>> broadcast = broadcast(value);
        String stored =
                new String(
                        application.read(application.directory() + "/" + files().get(0)),
                        StandardCharsets.ISO_8859_1);
        assertThat(stored.split(SECRET, -1)).hasSize(encrypted ? 1 : 100_001);
        assertThat((byte[]) BroadcastCopies.readAnew(broadcast).value().get(0)).isEqualTo(array);
    }

    @Test
    void aFileThatIsLostIsWrittenAgainByTheDriver() throws IOException {
        byte[] value = bytes(2 * MIB);
        Broadcast<byte[]> broadcast = broadcast(value);
        String file = application.directory() + "/" + files().get(0);
        application.client().delete(file, false);
        assertThat(BroadcastCopies.readAnew(broadcast).value()).isEqualTo(value);
        assertThat(files()).containsExactly("broadcast-" + broadcast.id() + "-1");
        // The next reader is sent to the same file.
        assertThat(BroadcastCopies.readAnew(broadcast).value()).isEqualTo(value);
        assertThat(files()).containsExactly("broadcast-" + broadcast.id() + "-1");
        application.client().delete(file + "-1", false);
        assertThat(BroadcastCopies.readAnew(broadcast).value()).isEqualTo(value);
        assertThat(files()).containsExactly("broadcast-" + broadcast.id() + "-2");
        broadcast.destroy(true);
        assertThat(files()).isEmpty();
    }

    @Test
    void filesOfPythonAreBroadcast(@TempDir Path directory) throws IOException {
        byte[] content = bytes(2 * MIB);
        Path pickled = Files.write(directory.resolve("pickled"), content);
        Broadcast<PythonBroadcast> broadcast = broadcast(new PythonBroadcast(pickled.toString()));
        assertThat(files()).hasSize(1);
        PythonBroadcast read = BroadcastCopies.readAnew(broadcast).value();
        assertThat(Path.of(read.path())).isNotEqualTo(pickled).hasBinaryContent(content);
    }

    @Test
    void aStorageServerThatIsLostCostsAWriteMore() throws IOException {
        byte[] value = bytes(20 * MIB);
        Broadcast<byte[]> broadcast = broadcast(value);
        application.cluster().stopStorage(0);
        assertThat(BroadcastCopies.readAnew(broadcast).value()).isEqualTo(value);
    }

    @Test
    void whatTheStoreHasNoRoomForIsLeftToSpark() throws IOException {
        byte[] some = bytes(MIB);
        try (CrailOutputStream others =
                application.client().createFile("/others", CreateOptions.DEFAULT)) {
            for (int i = 0; i < 500; i++) {
                others.write(some);
            }
        }
        byte[] value = bytes(40 * MIB);
        Broadcast<byte[]> broadcast = broadcast(value);
        assertThat(broadcast).isInstanceOf(TorrentBroadcast.class);
        assertThat(files()).isEmpty();
    }

    @Test
    void broadcastsAloneCanBeSwitchedOff() throws IOException {
        restart(Map.of("spark.crail.broadcast.enabled", "false"));
        assertThat(broadcast(bytes(2 * MIB))).isInstanceOf(TorrentBroadcast.class);
        assertThat(files()).isEmpty();
    }

    @Test
    void broadcastsAloneCanBeSwitchedOn() throws IOException {
        restart(Map.of("spark.crail.shuffle.enabled", "false"));
        byte[] value = bytes(2 * MIB);
        Broadcast<byte[]> broadcast = broadcast(value);
        assertThat(files()).hasSize(1);
        assertThat(BroadcastCopies.readAnew(broadcast).value()).isEqualTo(value);
        application.spark().stop();
        assertThat(application.list("/spark")).isEmpty();
    }
}
