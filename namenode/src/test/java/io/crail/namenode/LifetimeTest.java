// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseLostException;
import io.crail.error.NoSuchNodeException;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.Scan;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Times to live. */
final class LifetimeTest extends OneNamenode {
    /** In the 50 ms steps in which the clock of lifetimes goes, and one tick to notice. */
    private static final Duration STEP = Duration.ofMillis(50);

    /** Lets time pass in which the session shows that it lives. */
    private void advance(Duration time) throws IOException {
        for (Duration left = time; !left.isZero(); ) {
            Duration step =
                    left.compareTo(Duration.ofSeconds(30)) < 0 ? left : Duration.ofSeconds(30);
            namenode.advance(step);
            session.lookup("/");
            left = left.minus(step);
        }
    }

    private void assertGone(String path) {
        assertThatThrownBy(() -> session.lookup(path)).isInstanceOf(NoSuchNodeException.class);
    }

    private int lifetimes() throws IOException {
        return namenode.ask(engine -> engine.state().tree().lifetimes().size());
    }

    // Ends.

    @Test
    void aNodeGoesWhenItsTimeIsOverAndNotBefore() throws IOException {
        assertThat(session.create("/f", NodeType.FILE, 10_000).remainingMillis()).isEqualTo(10_000);
        advance(Duration.ofMillis(9_950));
        assertThat(session.lookup("/f").remainingMillis()).isEqualTo(50);
        assertThat(session.list("/")).containsExactly("f");
        advance(STEP);
        assertGone("/f");
        assertThat(session.list("/")).isEmpty();
        assertThat(lifetimes()).isZero();
    }

    @Test
    void aNodeThatIsMadeBetweenTwoStepsOfTheClockDoesNotGoTooSoon() throws IOException {
        advance(Duration.ofMillis(30));
        session.create("/f", NodeType.FILE, 100);
        advance(Duration.ofMillis(99));
        assertThat(session.list("/")).containsExactly("f");
        advance(STEP);
        assertGone("/f");
    }

    @Test
    void aTimeToLiveCountsFromItsRequestAndNotFromTheTickBefore() throws IOException {
        namenode.passUnnoticed(Duration.ofMillis(90));
        session.create("/f", NodeType.FILE, 100);
        namenode.passUnnoticed(Duration.ofMillis(5));
        session.create("/g", NodeType.FILE, 100);
        advance(Duration.ofMillis(85));
        assertThat(session.list("/")).containsExactly("f", "g");
        advance(STEP.multipliedBy(2));
        assertGone("/f");
        assertGone("/g");
    }

    @Test
    void everythingBelowGoesAtOnceAndItsBlocksAreFreed() throws IOException {
        try (FakeStorage storage = namenode.storage(8)) {
            session.create("/job", NodeType.DIRECTORY, 5_000);
            session.mkdir("/job/a");
            session.file("/job/a/f", 300_000);
            session.create("/job/g", NodeType.FILE, 60_000);
            advance(Duration.ofSeconds(5));
            assertGone("/job/a/f");
            assertThat(session.summary("/").files()).isZero();
            namenode.settle();
            storage.fenceAll();
            assertThat(session.statistics().classes().get(0).committed()).isZero();
            assertThat(lifetimes()).isZero();
        }
    }

    @Test
    void aLifetimeIsRenewedShortenedAndTakenAway() throws IOException {
        session.create("/f", NodeType.FILE, 1_000);
        session.touch("/g");
        session.touch("/h");
        assertThat(session.setLifetime("/f", 60_000).remainingMillis()).isEqualTo(60_000);
        assertThat(session.setLifetime("/g", 500).remainingMillis()).isEqualTo(500);
        session.setLifetime("/h", 500);
        assertThat(session.setLifetime("/h", -1).remainingMillis()).isEqualTo(-1);
        advance(Duration.ofSeconds(30));
        assertThat(session.list("/")).containsExactly("f", "h");
        assertThat(session.lookup("/f").remainingMillis()).isEqualTo(30_000);
        advance(Duration.ofSeconds(30));
        assertThat(session.list("/")).containsExactly("h");
    }

    @Test
    void aLifetimeMovesWithItsNodeAndNotWithItsName() throws IOException {
        session.create("/f", NodeType.FILE, 5_000);
        session.rename("/f", "/g", 0);
        session.touch("/f");
        session.create("/o", NodeType.FILE, 5_000);
        session.create("/o", NodeType.FILE, Create.OVERWRITE, 0);
        session.touch("/target");
        session.create("/short", NodeType.FILE, 5_000);
        session.rename("/short", "/target", Rename.REPLACE);
        advance(Duration.ofSeconds(5));
        assertThat(session.list("/")).containsExactly("f", "o");
    }

    @Test
    void theParentsThatAreMadeStay() throws IOException {
        session.wire()
                .call(
                        TestRequests.createRequest(
                                "/a/b/c", NodeType.DIRECTORY, Create.PARENTS, 0, 1_000),
                        Create.Reply::decode);
        advance(Duration.ofSeconds(1));
        assertThat(session.list("/a/b")).isEmpty();
        assertThat(session.lookup("/a/b").remainingMillis()).isEqualTo(-1);
    }

    @Test
    void impossibleLifetimesAreRefused() throws IOException {
        session.table("/t");
        for (long millis : new long[] {0, -2, Long.MIN_VALUE, Long.MAX_VALUE, 3_155_760_000_001L}) {
            assertThatThrownBy(() -> session.create("/f", NodeType.FILE, millis))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("1 ms to 100 years");
            assertThatThrownBy(() -> session.setLifetime("/t", millis))
                    .isInstanceOf(InvalidArgumentException.class);
            assertThatThrownBy(() -> session.putFor("/t", "k", "v", millis))
                    .isInstanceOf(InvalidArgumentException.class);
        }
        assertThatThrownBy(() -> session.setLifetime("/", 1_000))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(lifetimes()).isZero();
    }

    // Who uses it meanwhile.

    @Test
    void aReaderKeepsTheBytesAndAWriterLosesItsLease() throws IOException {
        try (FakeStorage storage = namenode.storage(8)) {
            session.file("/f", 5_000);
            Open.Reply reading = session.open("/f", Open.READ, 0);
            session.setLifetime("/f", 1_000);
            Create.Reply writing = session.write("/w", 5_000);
            session.setLifetime("/w", 1_000);
            advance(Duration.ofSeconds(1));
            assertThat(session.extents(reading.status().id(), 0, 64).extents()).hasSize(1);
            assertThatThrownBy(
                            () ->
                                    session.commit(
                                            writing.status().id(),
                                            writing.handle(),
                                            0,
                                            true,
                                            TestRequests.fill(writing.grants(), 5_000)))
                    .isInstanceOf(LeaseLostException.class);
            session.closeHandle(reading.handle());
            storage.fenceAll();
            assertThat(session.statistics().classes().get(0).committed()).isZero();
            assertThat(session.statistics().classes().get(0).granted()).isZero();
        }
    }

    // Values.

    @Test
    void aValueGoesWhenItsTimeIsOverAndAPutGivesItANewOne() throws IOException {
        session.table("/t");
        session.putFor("/t", "a", "1", 5_000);
        session.putFor("/t", "b", "1", 5_000);
        session.putFor("/t", "c", "1", 5_000);
        session.put("/t", "d", "1");
        advance(Duration.ofSeconds(4));
        assertThat(session.value("/t", "a").remainingMillis()).isEqualTo(1_000);
        assertThat(session.value("/t", "d").remainingMillis()).isEqualTo(-1);
        session.putFor("/t", "b", "2", 5_000);
        session.put("/t", "c", "2");
        advance(Duration.ofSeconds(1));
        Scan.Reply page = session.scan("/t", TestSession.NOTHING, 10, Scan.VALUES);
        assertThat(page.entries())
                .extracting(Scan.Entry::remainingMillis)
                .containsExactly(4_000L, -1L, -1L);
        assertThatThrownBy(() -> session.get("/t", "a")).isInstanceOf(NoSuchNodeException.class);
        assertThat(session.get("/t", "b")).isEqualTo("2");
        assertThat(session.summary("/t").keyValues()).isEqualTo(3);
    }

    @Test
    void replacedAndRemovedValuesLeaveNothingToWaitFor() throws IOException {
        session.table("/t");
        for (int i = 0; i < 5_000; i++) {
            session.putFor("/t", "k" + i % 10, "v", 3_600_000);
        }
        assertThat(lifetimes()).isEqualTo(10);
        session.remove("/t", "k0");
        assertThat(lifetimes()).isEqualTo(9);
        session.delete("/t", true);
        namenode.settle();
        assertThat(lifetimes()).isZero();
    }

    @Test
    void thousandsThatAreDueAtOnceGoInTheOrderOfTheirDeadlines() throws IOException {
        session.table("/t");
        for (int i = 0; i < 20_000; i++) {
            session.putFor("/t", "k%05d".formatted(i), "v", 100 + i / 100);
        }
        int left = lifetimes();
        for (int ticks = 0; left > 0; ticks++) {
            assertThat(ticks).isLessThan(20_000);
            namenode.advance(Duration.ofMillis(900));
            // Each request may let more go: the first that is left lies between two counts.
            int before = (int) session.summary("/t").keyValues();
            List<Scan.Entry> first = session.scan("/t", TestSession.NOTHING, 1, 0).entries();
            int now = lifetimes();
            assertThat(now).isLessThanOrEqualTo(before).isLessThan(left);
            for (Scan.Entry entry : first) {
                String key = new String(entry.key(), StandardCharsets.UTF_8);
                assertThat(Integer.parseInt(key.substring(1)) / 100)
                        .isBetween((20_000 - before) / 100, (20_000 - now) / 100);
            }
            left = now;
        }
    }

    // Restarts, pauses.

    @Test
    void timeWhileNoNamenodeRunsDoesNotCount() throws IOException {
        session.create("/f", NodeType.FILE, 60_000);
        session.table("/t");
        session.putFor("/t", "k", "v", 90_000);
        advance(Duration.ofSeconds(30));
        session.touch("/recorded");
        TestNamenode.Memory memory = namenode.memory();
        session.close();
        namenode.restart();
        session = namenode.session("again");
        namenode.assertRemembers(memory, line -> line.contains("until") || line.contains("clock"));
        assertThat(session.lookup("/f").remainingMillis()).isEqualTo(30_000);
        advance(Duration.ofSeconds(30));
        assertGone("/f");
        assertThat(session.value("/t", "k").remainingMillis()).isEqualTo(30_000);
    }

    @Test
    void aCrashGivesANodeTenSecondsMoreAtMost() throws IOException {
        session.create("/f", NodeType.FILE, 60_000);
        namenode.advance(Duration.ofMillis(35_950));
        session.mkdir("/answered"); // What was logged before is in the file now.
        Path copy = directory.resolveSibling(directory.getFileName() + "-copy");
        try (TestNamenode successor = namenode.recoverCopy(copy);
                TestSession later = successor.session("later")) {
            assertThat(later.lookup("/f").remainingMillis())
                    .isBetween(60_000L - 35_950, 60_000L - 35_950 + 10_900);
        }
    }

    @Test
    void timeWhileTheNamenodeStoodStillDoesNotCount() throws IOException {
        session.create("/f", NodeType.FILE, 60_000);
        namenode.pause(Duration.ofHours(2));
        assertThat(session.lookup("/f").remainingMillis()).isEqualTo(60_000);
        advance(Duration.ofSeconds(60));
        assertGone("/f");
    }

    @Test
    void aSnapshotKeepsLifetimes() throws IOException {
        session.create("/d", NodeType.DIRECTORY, 60_000);
        session.table("/t");
        session.putFor("/t", "k", "v", 30_000);
        advance(Duration.ofSeconds(10));
        namenode.snapshot();
        TestNamenode.Memory memory = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(memory);
        session.close();
        session = namenode.session("again");
        advance(Duration.ofSeconds(20));
        assertThatThrownBy(() -> session.get("/t", "k")).isInstanceOf(NoSuchNodeException.class);
        assertThat(session.lookup("/d").remainingMillis()).isEqualTo(30_000);
    }
}
