// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import io.crail.client.GetResult;
import io.crail.client.PutEntry;
import io.crail.client.PutOptions;
import io.crail.client.PutResult;
import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.WrongNodeTypeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many keys in one call. */
@Timeout(120)
class MultiKeyTest {
    private static EmbeddedCluster cluster;
    private static CrailClient client;
    private CrailTable table;

    @BeforeAll
    static void start() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(2).capacity(128L << 20).start();
        client = cluster.connect();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @BeforeEach
    void make() throws CrailException {
        if (client.lookup("/t").isPresent()) {
            client.delete("/t", true);
        }
        table = client.createTable("/t");
    }

    private static byte[] key(int number) {
        return ("key-" + number).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(int number, int length) {
        byte[] bytes = new byte[length];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private static List<byte[]> keys(int count) {
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(key(i));
        }
        return keys;
    }

    /** Mostly small, some in a few blocks. */
    private static int length(int number) {
        return number % 10 == 0 ? 1500 + number : number % 997 == 1 ? 3_000_000 : number % 1000;
    }

    @Test
    void tenThousandValuesOfAllSizesComeBackAsTheyWerePut() throws CrailException {
        List<PutEntry> entries = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            entries.add(new PutEntry(key(i), value(i, length(i))));
        }
        List<PutResult> put = table.multiPut(entries);
        assertThat(put).hasSize(10_000);
        for (PutResult each : put) {
            assertThat(each.version()).isPositive();
        }
        List<byte[]> keys = keys(10_100);
        List<GetResult> got = table.multiGet(keys);
        assertThat(got).hasSize(10_100);
        for (int i = 0; i < 10_000; i++) {
            assertThat(got.get(i).value().orElseThrow().toByteArray())
                    .as("value %s", i)
                    .isEqualTo(value(i, length(i)));
            assertThat(got.get(i).value().orElseThrow().version()).isEqualTo(put.get(i).version());
        }
        for (int i = 10_000; i < 10_100; i++) {
            assertThat(got.get(i)).isEqualTo(new GetResult.Absent());
        }
    }

    @Test
    void smallValuesTakeOneCallForAThousandOfThem() throws CrailException {
        List<PutEntry> entries = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            entries.add(new PutEntry(key(i), value(i, 100)));
        }
        long before = client.clientStatistics().rpcCalls();
        table.multiPut(entries);
        assertThat(table.multiGet(keys(1000))).allMatch(r -> r instanceof GetResult.Found);
        // A keep-alive may come in between.
        assertThat(client.clientStatistics().rpcCalls() - before).isBetween(2L, 4L);
    }

    @Test
    void valuesBeyondOneAnswerAreAskedForAgain() throws CrailException {
        List<PutEntry> entries = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            entries.add(new PutEntry(key(i), value(i, 1024)));
        }
        for (int i = 1000; i < 1800; i++) {
            entries.add(new PutEntry(key(i), value(i, 5000)));
        }
        table.multiPut(entries);
        List<GetResult> got = table.multiGet(keys(1800));
        for (int i = 0; i < 1800; i++) {
            assertThat(got.get(i).value().orElseThrow().toByteArray())
                    .isEqualTo(value(i, i < 1000 ? 1024 : 5000));
        }
    }

    @Test
    void eachEntryIsPutOrRefusedByItself() throws CrailException {
        long version = table.put(key(1), value(1, 10));
        byte[] large = value(7, 100_000);
        List<PutResult> results =
                table.multiPut(
                        List.of(
                                new PutEntry(key(1), wrap(2), PutOptions.IF_ABSENT),
                                new PutEntry(key(1), wrap(3), PutOptions.ifVersion(version)),
                                new PutEntry(key(2), wrap(4), PutOptions.IF_ABSENT),
                                new PutEntry(key(3), wrap(5), PutOptions.ifVersion(version)),
                                new PutEntry(key(4), ByteBuffer.wrap(large)),
                                new PutEntry(
                                        key(1), ByteBuffer.wrap(large), PutOptions.IF_ABSENT)));
        assertThatThrownBy(() -> results.get(0).version())
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("its version is " + version);
        assertThat(results.get(1).version()).isGreaterThan(version);
        assertThat(results.get(2).version()).isGreaterThan(results.get(1).version());
        assertThatThrownBy(() -> results.get(3).version())
                .isInstanceOf(ConditionFailedException.class)
                .hasMessageContaining("no value");
        assertThat(results.get(4).version()).isPositive();
        assertThatThrownBy(() -> results.get(5).version())
                .isInstanceOf(ConditionFailedException.class);
        assertThat(table.get(key(1)).orElseThrow().toByteArray()).containsExactly(3);
        assertThat(table.get(key(4)).orElseThrow().toByteArray()).isEqualTo(large);
        assertThat(table.get(key(3))).isEmpty();
    }

    private static ByteBuffer wrap(int value) {
        return ByteBuffer.wrap(new byte[] {(byte) value});
    }

    @Test
    void callsWithoutKeysAndWithBadOnesAreAnsweredWithoutHarm() throws CrailException {
        assertThat(table.multiGet(List.of())).isEmpty();
        assertThat(table.multiPut(List.of())).isEmpty();
        assertThatThrownBy(() -> table.multiGet(List.of(new byte[0])))
                .isInstanceOf(InvalidNameException.class);
        assertThatThrownBy(() -> client.table("/nowhere").multiGet(List.of(key(1))))
                .isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(
                        () ->
                                client.table("/nowhere")
                                        .multiPut(List.of(new PutEntry(key(1), value(1, 1)))))
                .isInstanceOf(NoSuchNodeException.class);
        byte[] longest = new byte[1024];
        List<PutEntry> entries = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            byte[] key = longest.clone();
            key[0] = (byte) i;
            key[1] = (byte) (i >> 8);
            entries.add(new PutEntry(key, key));
        }
        for (PutResult each : table.multiPut(entries)) {
            assertThat(each.version()).isPositive();
        }
        List<GetResult> got = table.multiGet(entries.stream().map(PutEntry::key).toList());
        for (int i = 0; i < entries.size(); i++) {
            assertThat(got.get(i).value().orElseThrow().toByteArray())
                    .isEqualTo(entries.get(i).key());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100_000})
    void aMissingTableFailsTheCallWhateverTheSizesAre(int length) {
        List<PutEntry> entries =
                List.of(
                        new PutEntry(key(1), value(1, length)),
                        new PutEntry(key(2), value(2, 100_000)));
        assertThatThrownBy(() -> client.table("/nowhere").multiPut(entries))
                .isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(() -> client.table("/").multiPut(entries))
                .isInstanceOf(WrongNodeTypeException.class);
    }

    @Test
    void valuesThatDoNotFitFailAloneAndTheOthersArePut() throws CrailException {
        try (EmbeddedCluster small = EmbeddedCluster.builder().capacity(4L << 20).start();
                CrailClient other = small.connect()) {
            CrailTable there = other.createTable("/t");
            List<PutEntry> entries = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                entries.add(new PutEntry(key(i), value(i, 1 << 20)));
                entries.add(new PutEntry(key(100 + i), value(i, 100)));
            }
            int put = 0;
            for (PutResult each : there.multiPut(entries)) {
                if (each instanceof PutResult.Failed failed) {
                    assertThat(failed.cause()).isInstanceOf(OutOfSpaceException.class);
                } else {
                    put++;
                }
            }
            assertThat(put).isBetween(9, 12);
            assertThat(other.summary("/t").keyValues()).isEqualTo(put);
        }
    }

    @Test
    void aSoleWriterNeverMeetsItsOwnPutsThoughAnswersAreLost() throws Exception {
        try (EmbeddedCluster restarted = EmbeddedCluster.builder().start();
                CrailClient other = restarted.connect()) {
            CrailTable there = other.createTable("/t");
            AtomicBoolean stopped = new AtomicBoolean();
            FutureTask<Long> writing =
                    new FutureTask<>(
                            () -> {
                                long version = there.put(key(0), value(0, 8));
                                for (int i = 0; !stopped.get(); i++) {
                                    version =
                                            there.putIfVersion(key(0), wrap(i), version)
                                                    .orElseThrow();
                                    List<PutEntry> fresh = new ArrayList<>();
                                    for (int k = 1; k <= 20; k++) {
                                        byte[] key = key(20 * i + k);
                                        fresh.add(new PutEntry(key, wrap(k), PutOptions.IF_ABSENT));
                                    }
                                    for (PutResult each : there.multiPut(fresh)) {
                                        assertThat(each.version()).isGreaterThan(version);
                                    }
                                }
                                return version;
                            });
            Thread thread = new Thread(writing, "writer");
            thread.start();
            for (int i = 0; i < 6; i++) {
                long calls = other.clientStatistics().rpcCalls();
                restarted.restartNamenode();
                while (other.clientStatistics().rpcCalls() < calls + 50 && !writing.isDone()) {
                    Thread.onSpinWait();
                }
            }
            stopped.set(true);
            long version = writing.get(60, TimeUnit.SECONDS);
            assertThat(there.get(key(0)).orElseThrow().version()).isEqualTo(version);
            assertThat(other.clientStatistics().reconnects()).isPositive();
        }
    }
}
