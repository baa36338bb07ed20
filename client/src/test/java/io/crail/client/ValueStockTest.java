// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.testing.ReceivedFrame;
import io.crail.client.testing.SlowClock;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.Put;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts of larger values take blocks that came with the answer to the put before. */
class ValueStockTest extends ClientTestBase {
    private static final byte[] KEY = "k".getBytes(StandardCharsets.UTF_8);
    private static final int VALUE = 100 << 10;

    /** Blocks grow idle when a test says so, and not because the machine is slow. */
    private final SlowClock clock = new SlowClock();

    private CrailClient connect() throws IOException {
        return CrailClient.connect(cluster().config().clock(clock).build());
    }

    private int received(MessageType type) {
        return (int)
                cluster().namenode().received().stream()
                        .filter(frame -> frame.type() == type)
                        .count();
    }

    private void check(CrailTable table, byte[] value) throws IOException {
        assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(value);
    }

    private void awaitNoGrants() {
        Awaitility.await()
                .untilAsserted(
                        () -> {
                            clock.pass(Duration.ofMillis(100));
                            assertThat(cluster().namenode().grantsOutstanding()).isZero();
                        });
    }

    @ParameterizedTest
    @ValueSource(ints = {4 << 10, 5000, 8 << 10, VALUE, 1 << 20, 3_000_000})
    void eachPutButTheFirstIsOneCall(int length) throws IOException {
        try (CrailClient client = connect()) {
            CrailTable table = client.createTable("/t");
            table.put(KEY, bytes(length, 0));
            long before = cluster().namenode().executed();
            for (int i = 1; i <= 5; i++) {
                table.put(KEY, bytes(length, i));
                check(table, bytes(length, i));
            }
            assertThat(received(MessageType.PUT)).isEqualTo(6);
            assertThat(received(MessageType.GRANT)).isEqualTo(1);
            assertThat(cluster().namenode().executed() - before).as("mutations").isEqualTo(5);
        }
    }

    private int keepAlivesWithBlocks() {
        return (int)
                cluster().namenode().keepAlives().stream()
                        .filter(each -> !each.returned().isEmpty())
                        .count();
    }

    @Test
    void valuesOfAboutTheSameLengthShareTheirBlocks() throws IOException {
        try (CrailClient client = connect()) {
            CrailTable table = client.createTable("/t");
            for (int length = 99_000; length < 104_000; length += 1000) {
                table.put(KEY, bytes(length, length));
                check(table, bytes(length, length));
            }
            assertThat(received(MessageType.GRANT)).isEqualTo(1);
        }
    }

    @Test
    void aShortValueDoesNotTakeALargeBlock() throws IOException {
        try (CrailClient client = connect()) {
            CrailTable table = client.createTable("/t");
            table.put(KEY, bytes(1 << 20, 1));
            table.put(KEY, bytes(5000, 2));
            assertThat(received(MessageType.GRANT)).isEqualTo(2);
            table.put(KEY, bytes(1 << 20, 3));
            table.put(KEY, bytes(5000, 4));
            assertThat(received(MessageType.GRANT)).isEqualTo(2);
        }
    }

    @Test
    void blocksOfOneTableAreNotUsedForAnother() throws IOException {
        try (CrailClient client = connect()) {
            client.createTable("/t").put(KEY, bytes(VALUE, 1));
            client.createTable("/u").put(KEY, bytes(VALUE, 2));
            assertThat(received(MessageType.GRANT)).isEqualTo(2);
        }
    }

    @Test
    void whatNobodyUsesGoesBack() throws IOException {
        try (CrailClient client = connect()) {
            client.createTable("/t").put(KEY, bytes(VALUE, 1));
            awaitNoGrants();
            assertThat(keepAlivesWithBlocks()).isEqualTo(1);
            client.table("/t").put(KEY, bytes(VALUE, 2));
            assertThat(received(MessageType.GRANT)).isEqualTo(2);
        }
    }

    @Test
    void theStockIsBoundedHoweverManyPutsAreUnderWay() throws IOException {
        try (CrailClient client = connect()) {
            CrailTable table = client.createTable("/t");
            for (int length : new int[] {8 << 10, 1 << 20}) {
                List<CrailFuture<Long>> puts = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    puts.add(table.putAsync(KEY, ByteBuffer.wrap(bytes(length, i))));
                }
                puts.forEach(CrailFuture::join);
                assertThat(cluster().namenode().grantsOutstanding()).isBetween(1, 64);
                assertThat(cluster().namenode().bytesGranted()).isLessThanOrEqualTo(16 << 20);
                awaitNoGrants();
            }
        }
    }

    @Test
    void grantsThatTheNamenodeNoLongerKnowsAreReplaced() throws IOException {
        try (CrailClient client = connect()) {
            CrailTable table = client.createTable("/t");
            table.put(KEY, bytes(VALUE, 1));
            cluster().namenode().forgetGrants();
            table.put(KEY, bytes(VALUE, 2));
            check(table, bytes(VALUE, 2));
            assertThat(received(MessageType.GRANT)).isEqualTo(2);
        }
    }

    @Test
    void blocksThatWereRevokedAreReplaced() throws IOException {
        try (CrailClient client = connect()) {
            CrailTable table = client.createTable("/t");
            table.put(KEY, bytes(VALUE, 1));
            cluster().storage(0).staleWrites(1);
            cluster().storage(1).staleWrites(1);
            table.put(KEY, bytes(VALUE, 2));
            check(table, bytes(VALUE, 2));
            assertThat(received(MessageType.PUT)).isEqualTo(2);
        }
    }

    @Test
    void aServerThatIsGoneIsReplaced() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            for (int i = 0; i < 4; i++) {
                table.put(KEY, bytes(VALUE, i));
            }
            cluster().storage(0).stop();
            for (int i = 4; i < 8; i++) {
                table.put(KEY, bytes(VALUE, i));
                check(table, bytes(VALUE, i));
            }
        }
    }

    @Test
    void anotherLifeOfTheNamenodeGetsTheStockBack() throws IOException {
        try (CrailClient client = connect()) {
            CrailTable table = client.createTable("/t");
            table.put(KEY, bytes(VALUE, 1));
            cluster().namenode().epoch(6);
            assertThat(table.get(KEY)).isPresent();
            table.put(KEY, bytes(VALUE, 2));
            assertThat(received(MessageType.GRANT)).isEqualTo(2);
            awaitNoGrants();
        }
    }

    @Test
    void aNamenodeThatGrantsNothingAheadIsAskedEachTime() throws IOException {
        cluster().namenode().grantAhead(false);
        try (CrailClient client = connect()) {
            CrailTable table = client.createTable("/t");
            for (int i = 0; i < 3; i++) {
                table.put(KEY, bytes(VALUE, i));
            }
            check(table, bytes(VALUE, 2));
            assertThat(received(MessageType.GRANT)).isEqualTo(3);
        }
    }

    @Test
    void aLongValueAsksForBlocksOfItsLength() throws IOException {
        try (CrailClient client = connect()) {
            client.createTable("/t").put(KEY, bytes(VALUE, 1));
            ReceivedFrame put =
                    cluster().namenode().received().stream()
                            .filter(frame -> frame.type() == MessageType.PUT)
                            .findFirst()
                            .orElseThrow();
            assertThat(Put.Request.decode(put.control()).nextBytes())
                    .isBetween((long) VALUE, VALUE + VALUE / 8L);
        }
    }
}
