// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.testing.FakeNamenode;
import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.ServerLostException;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables as an application uses them. */
class TableTest extends ClientTestBase {
    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, FakeNamenode.INLINE_LIMIT, FakeNamenode.INLINE_LIMIT + 1, 3_000_007})
    void whatIsPutIsGot(int length) throws IOException {
        byte[] value = bytes(length, length);
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            long version = table.put(key("k"), value);
            Value got = table.get(key("k")).orElseThrow();
            assertThat(got.toByteArray()).isEqualTo(value);
            assertThat(got.version()).isEqualTo(version);
            ByteBuffer direct = ByteBuffer.allocateDirect(length + 5);
            assertThat(table.getInto(key("k"), direct)).isEqualTo(length);
            assertThat(direct.position()).isEqualTo(length);
            assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(value));
        }
    }

    @Test
    void smallValuesTakeOneCallEach() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            int before = calls();
            table.put(key("k"), bytes(100, 1));
            table.get(key("k"));
            assertThat(calls() - before).isEqualTo(2);
        }
    }

    private int calls() {
        return (int)
                cluster().namenode().received().stream()
                        .filter(frame -> frame.type() != MessageType.KEEP_ALIVE)
                        .count();
    }

    @Test
    void valuesOutliveTheSessionThatBeganToReadOrWriteThem() throws IOException {
        byte[] value = bytes(300_000, 3);
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            // Denied as well by the server that the namenode names again, as other sessions' are.
            cluster().storage(0).deny(2);
            table.put(key("k"), value);
            cluster().storage(0).deny(2);
            assertThat(table.get(key("k")).orElseThrow().toByteArray()).isEqualTo(value);
        }
    }

    @Test
    void aMissingKeyIsEmptyAndAMissingTableAnError() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            assertThat(table.get(key("k"))).isEmpty();
            assertThat(table.getInto(key("k"), ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThatThrownBy(() -> client.table("/none").get(key("k")))
                    .isInstanceOf(NoSuchNodeException.class);
        }
    }

    @Test
    void conditionsDecideWhetherAPutTakesPlace() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            ByteBuffer value = ByteBuffer.wrap(bytes(10, 2));
            assertThat(table.putIfAbsent(key("k"), value)).isPresent();
            assertThat(table.putIfAbsent(key("k"), value)).isEmpty();
            assertThatThrownBy(() -> table.put(key("k"), value, PutOptions.IF_ABSENT))
                    .isInstanceOf(ConditionFailedException.class);
            assertThat(value.position()).isZero();
        }
    }

    @Test
    void aConditionThatIsNotMetGivesItsBlocksBack() throws IOException {
        cluster().namenode().keepAliveMillis(20);
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            table.put(key("k"), bytes(10, 3));
            ByteBuffer large = ByteBuffer.wrap(bytes(100_000, 3));
            assertThat(table.putIfAbsent(key("k"), large)).isEmpty();
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(cluster().namenode().grantsOutstanding()).isZero());
        }
    }

    @Test
    void removingSaysWhetherThereWasAValue() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            table.put(key("k"), bytes(10, 4));
            assertThat(table.remove(key("k"))).isTrue();
            assertThat(table.remove(key("k"))).isFalse();
            assertThat(table.removeAsync(key("k")).join()).isFalse();
        }
    }

    @Test
    void keysAndBuffersAreChecked() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            assertThatThrownBy(() -> table.put(new byte[0], new byte[1]))
                    .isInstanceOf(InvalidNameException.class);
            assertThatThrownBy(() -> table.put(new byte[1025], new byte[1]))
                    .isInstanceOf(InvalidNameException.class);
            table.put(key("k"), bytes(10, 5));
            assertThatThrownBy(() -> table.getInto(key("k"), ByteBuffer.allocate(9)))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("10 bytes");
        }
    }

    @Test
    void aLargeValueSurvivesTheLossOfAServerWhileItIsPut() throws Exception {
        byte[] value = bytes(3_000_000, 6);
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            cluster().storage(0).stop();
            table.put(key("k"), value);
            assertThat(table.get(key("k")).map(Value::toByteArray))
                    .hasValueSatisfying(got -> assertThat(got).isEqualTo(value));
        }
    }

    @Test
    void aLostServerIsNamed() throws Exception {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            table.put(key("k"), bytes(3000, 7));
            cluster().storage(0).stop();
            assertThatThrownBy(() -> table.get(key("k")))
                    .isInstanceOf(ServerLostException.class)
                    .hasMessageContaining("/t")
                    .hasMessageContaining("storage server 1");
        }
    }

    @Test
    void manyAsynchronousCallsGoOn() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            List<CrailFuture<Long>> puts = new ArrayList<>();
            for (int i = 0; i < 6000; i++) {
                puts.add(table.putAsync(key("k" + i), ByteBuffer.wrap(bytes(20, i))));
            }
            puts.forEach(CrailFuture::join);
            assertThat(table.getAsync(key("k5999")).join().orElseThrow().toByteArray())
                    .isEqualTo(bytes(20, 5999));
        }
    }

    @Test
    void dependentsMayMakeBlockingCallsAndWaitForFutures() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            table.put(key("a"), key("b"));
            table.put(key("b"), key("c"));
            table.put(key("c"), key("end"));
            String result =
                    table.getAsync(key("a"))
                            .thenApply(value -> next(table, value))
                            .thenApply(value -> table.getAsync(value.toByteArray()).join())
                            .thenApply(value -> text(value.orElseThrow()))
                            .join();
            assertThat(result).isEqualTo("end");
        }
    }

    private static Value next(CrailTable table, Optional<Value> value) {
        try {
            return table.get(value.orElseThrow().toByteArray()).orElseThrow();
        } catch (CrailException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(Value value) {
        return new String(value.toByteArray(), StandardCharsets.UTF_8);
    }

    @Test
    void dependentsRunThoughNobodyWaits() throws Exception {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            List<Long> versions = Collections.synchronizedList(new ArrayList<>());
            var chain =
                    table.putAsync(key("k"), ByteBuffer.wrap(new byte[1]))
                            .thenCompose(
                                    version -> {
                                        versions.add(version);
                                        return table.putAsync(
                                                key("k"), ByteBuffer.wrap(new byte[2]));
                                    })
                            .thenAccept(versions::add);
            Awaitility.await().until(chain::isDone);
            assertThat(versions).hasSize(2);
        }
    }
}
