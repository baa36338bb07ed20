// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.bench.spark.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an application answers, with Spark in this JVM. */
@Tag("spark")
class SessionTest {
    @TempDir private static Path local;

    private static Session session;

    @BeforeAll
    static void start() {
        session =
                Session.start(
                        new SparkConf(false)
                                .setMaster("local[4]")
                                .setAppName("test of a session")
                                .set("spark.driver.host", "127.0.0.1")
                                .set("spark.driver.bindAddress", "127.0.0.1")
                                .set("spark.ui.enabled", "false")
                                .set("spark.sql.warehouse.dir", local.toString())
                                .set("spark.local.dir", local.toString()));
    }

    @AfterAll
    static void stop() {
        session.close();
    }

    private static Round round(String word) {
        String answer = session.answer(word);
        assertThat(answer).startsWith("done ");
        return Round.parse(answer.substring("done ".length()));
    }

    private static List<String> shuffleFiles() throws IOException {
        try (Stream<Path> all = Files.walk(local)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("shuffle_"))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "groupby maps=4 records=50 bytes=100 reducers=3",
                "sort maps=3 records=500 reducers=4",
                "sort_fixed maps=3 records=500 reducers=4",
                "join rows=2000",
                "smallblocks maps=10 reducers=12 bytes=100",
                "broadcast bytes=3000000 executors=4",
                "empty jobs=2"
            })
    void aJobComesToTheSameDigestInEachRound(String job) throws IOException {
        assertThat(session.answer("prepare " + job)).isEqualTo("done");
        Round first = round("round");
        assertThat(first.nanos()).isPositive();
        assertThat(session.answer("clean")).isEqualTo("done");
        expectNoShuffleFiles();
        assertThat(round("round").digest()).isEqualTo(first.digest());
        session.answer("clean");
        long whole = round("check").digest();
        session.answer("clean");
        assertThat(round("check").digest()).isEqualTo(whole);
        session.answer("clean");
    }

    @Test
    void aShuffleLiesWhereSparkHasItsFilesUntilItIsCleanedUp() throws IOException {
        session.answer("prepare smallblocks maps=2 reducers=2 bytes=10");
        // Unless the collector finds first that nobody uses the shuffle any more.
        await().untilAsserted(
                        () -> {
                            round("round");
                            assertThat(shuffleFiles()).isNotEmpty();
                        });
        session.answer("clean");
        expectNoShuffleFiles();
    }

    @Test
    void otherRecordsAreAnotherDigest() {
        session.answer("prepare sort maps=3 records=100 reducers=4");
        long digest = round("round").digest();
        session.answer("prepare sort maps=3 records=101 reducers=4");
        assertThat(round("round").digest()).isNotEqualTo(digest);
        session.answer("clean");
    }

    @Test
    void whatNobodyKnowsIsRefused() {
        assertThatThrownBy(() -> session.answer("sing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sing");
        assertThatThrownBy(() -> session.answer("prepare lunch"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lunch");
    }

    /** What the collector has found itself, at the same time, goes when it comes to it. */
    private void expectNoShuffleFiles() {
        await().untilAsserted(() -> assertThat(shuffleFiles()).isEmpty());
    }
}
