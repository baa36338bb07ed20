// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is broadcast is what tasks get, with every serialiser, codec, and key. */
@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BroadcastValuesTest {
    private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";
    private static final String JAVA = "org.apache.spark.serializer.JavaSerializer";

    private static final int LARGE = 3_500_001;

    /** With arrays that are stored apart, one of them twice. */
    record Model(String name, double[] weights, float[] bias, double[] alsoWeights)
            implements Serializable {}

    private static Object value(String kind) {
        Random random = new Random(7);
        return switch (kind) {
            case "random bytes" -> {
                byte[] bytes = new byte[LARGE];
                random.nextBytes(bytes);
                yield bytes;
            }
            case "zeros" -> new byte[LARGE];
            case "longs" -> random.longs(300_000).toArray();
            case "ints" -> random.ints(600_000).toArray();
            case "chars" -> "a text that repeats ".repeat(60_000).toCharArray();
            case "shorts" -> {
                short[] shorts = new short[1_000_001];
                IntStream.range(0, shorts.length).forEach(i -> shorts[i] = (short) (i * 31));
                yield shorts;
            }
            case "flags" -> {
                boolean[] flags = new boolean[1_200_000];
                IntStream.range(0, flags.length).forEach(i -> flags[i] = random.nextBoolean());
                yield flags;
            }
            case "arrays" -> {
                byte[][] arrays = new byte[9][];
                for (int i = 0; i < 8; i++) {
                    arrays[i] = new byte[i * 150_000];
                    random.nextBytes(arrays[i]);
                }
                yield arrays;
            }
            case "matrix" -> {
                double[][] rows = new double[40][];
                for (int i = 0; i < rows.length; i++) {
                    rows[i] = random.doubles(5_000L * (i % 3 + 1)).toArray();
                }
                yield rows;
            }
            case "map" -> {
                Map<String, List<Integer>> map = new HashMap<>();
                IntStream.range(0, 60_000)
                        .forEach(i -> map.put("key " + i, new ArrayList<>(List.of(i, -i))));
                yield map;
            }
            case "mixture" -> {
                List<Object> list = new ArrayList<>();
                for (int i = 0; i < 300; i++) {
                    list.add("an element " + i);
                    list.add(random.ints(i * 100L).toArray());
                    list.add(new byte[i % 7 == 0 ? 2_500_000 : i]);
                }
                yield list;
            }
            default -> throw new IllegalArgumentException(kind);
        };
    }

    /** Looks into arrays, and lists of arrays. */
    private static boolean same(Object read, Object value) {
        return read.getClass() == value.getClass()
                && (value instanceof List<?> list
                        ? Arrays.deepEquals(((List<?>) read).toArray(), list.toArray())
                        : Objects.deepEquals(read, value));
    }

    private static final List<String> KINDS =
            List.of(
                    "random bytes",
                    "zeros",
                    "longs",
                    "ints",
                    "chars",
                    "shorts",
                    "flags",
                    "arrays",
                    "matrix",
                    "map",
                    "mixture");

    @ParameterizedTest
    @CsvSource({
        JAVA + ", true, lz4, false",
        JAVA + ", false, lz4, false",
        JAVA + ", true, zstd, true",
        JAVA + ", false, lz4, true",
        KRYO + ", true, snappy, false",
        KRYO + ", false, lz4, true",
    })
    void valuesComeBackAsTheyWere(String serializer, String compress, String codec, String encrypt)
            throws IOException {
        Map<String, String> settings =
                Map.of(
                        "spark.serializer",
                        serializer,
                        "spark.broadcast.compress",
                        compress,
                        "spark.io.compression.codec",
                        codec,
                        "spark.io.encryption.enabled",
                        encrypt,
                        "spark.kryoserializer.buffer.max",
                        "256m",
                        "spark.crail.broadcast.minSize",
                        "100k");
        try (TestApplication application = TestApplication.start("local[2]", settings)) {
            for (String kind : KINDS) {
                Object value = value(kind);
                Broadcast<Object> broadcast = application.spark().broadcast(value);
                assertThat(broadcast.getClass().getSimpleName()).isEqualTo("CrailBroadcast");
                Object read = BroadcastCopies.readAnew(broadcast).value();
                assertThat(read).as(kind).isNotSameAs(value);
                assertThat(same(read, value)).as(kind).isTrue();
                broadcast.destroy(true);
            }
            assertThat(application.list(application.directory())).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({JAVA, KRYO})
    void whatIsOneObjectRemainsOne(String serializer) throws IOException {
        try (TestApplication application =
                TestApplication.start(
                        "local[2]",
                        Map.of(
                                "spark.serializer",
                                serializer,
                                "spark.crail.broadcast.minSize",
                                "100k"))) {
            double[] weights = new Random(1).doubles(400_000).toArray();
            Model model = new Model("a model", weights, new float[100_000], weights);
            Object[] value =
                    Stream.of(weights, weights, new byte[50_000], new byte[50_000]).toArray();
            value[3] = value[2];
            Object[] read = BroadcastCopies.readAnew(application.spark().broadcast(value)).value();
            assertThat(read[0]).isEqualTo(weights).isSameAs(read[1]);
            assertThat(read[2]).isEqualTo(new byte[50_000]).isSameAs(read[3]);
            if (serializer.equals(JAVA)) {
                Model again =
                        BroadcastCopies.readAnew(application.spark().broadcast(model)).value();
                assertThat(again.weights()).isEqualTo(weights);
                assertThat(again.bias()).isEqualTo(model.bias());
                assertThat(again.weights()).isSameAs(again.alsoWeights());
            }
        }
    }
}
