// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rounds of applications that only say that they did something. */
class DuelTest {
    private static final Shape SHAPE = new Shape(2, 2, 1024, 512);
    private static final SparkEffort EFFORT = new SparkEffort(3, 2, 2, 0, 0, 1, true);
    private static final SparkRow ROW =
            SparkRow.warm("row", new Job("nothing", Map.of()), SHAPE, SparkTarget.atLeast(1.8));
    private static final long SECOND = 1_000_000_000L;

    private static final FlashStore.Provider NO_FLASH =
            (memory, flash, trial) -> {
                throw new AssertionError("no row is about flash");
            };

    private final List<String> events = new ArrayList<>();
    private final List<Shape> shapes = new ArrayList<>();
    private int open;
    private int mostOpen;
    private int rounds;
    private int wrongRound = -1;
    private int failingRound = -1;

    /** Crail needs a second, vanilla two. */
    private final class Told implements SparkApplication {
        private final Side side;

        Told(Side side) {
            this.side = side;
            open++;
            mostOpen = Math.max(mostOpen, open);
        }

        @Override
        public void prepare(Job job) {
            events.add("prepare " + side.text());
        }

        @Override
        public Round round(boolean check) throws IOException {
            events.add((check ? "check " : "round ") + side.text());
            int number = rounds++;
            if (number == failingRound) {
                throw new InternalException("gone");
            }
            long digest = check ? 7 : 8;
            return new Round(
                    side == Side.CRAIL ? SECOND : 2 * SECOND,
                    number == wrongRound ? digest + 1 : digest);
        }

        @Override
        public void clean() {
            events.add("clean");
        }

        @Override
        public List<ProcessHandle> processes() {
            return List.of();
        }

        @Override
        public void close() {
            events.add("close " + side.text());
            open--;
        }
    }

    private final SparkApplication.Launcher launcher =
            (side, shape) -> {
                shapes.add(shape);
                return new Told(side);
            };

    /** Notes rows, and nothing of what happens within them. */
    private static final class Noting implements SparkProgress {
        private final List<String> rows = new ArrayList<>();

        @Override
        public void begins(String row) {
            rows.add("begins " + row);
        }

        @Override
        public void measured(List<SparkOutcome> results) {
            results.forEach(each -> rows.add("measured " + each.name()));
        }

        @Override
        public void step(String what) {}
    }

    private SparkResult run(SparkRow row) throws IOException {
        List<ProcessHandle> servers = List.of(ProcessHandle.current());
        return new Duel(row, EFFORT, launcher, servers, new Noting()).run();
    }

    @Test
    void resultsAreToldBeforeTheNextRowBegins() throws IOException {
        SparkRows rows = new SparkRows(List.of("groupby", "sqljoin"), SparkSizes.quick(4), EFFORT);
        List<ProcessHandle> servers = List.of(ProcessHandle.current());
        Noting noting = new Noting();
        rows.run(launcher, servers, NO_FLASH, noting);
        assertThat(noting.rows)
                .containsExactly(
                        "begins groupby", "measured groupby", "begins sqljoin", "measured sqljoin");
        failingRound = rounds + rounds / 2 + 1;
        Noting interrupted = new Noting();
        assertThatThrownBy(() -> rows.run(launcher, servers, NO_FLASH, interrupted))
                .isInstanceOf(InternalException.class);
        assertThat(interrupted.rows)
                .containsExactly("begins groupby", "measured groupby", "begins sqljoin");
    }

    private List<String> without(String word) {
        return events.stream().filter(event -> !event.equals(word)).toList();
    }

    @Test
    void warmRoundsAlternateAndVanillaOnDiskComesAfterThem() throws IOException {
        SparkResult result = run(ROW);
        assertThat(without("clean"))
                .containsExactly(
                        "prepare vanilla",
                        "prepare crail",
                        "check vanilla",
                        "check crail",
                        "round vanilla",
                        "round crail",
                        "round vanilla",
                        "round crail",
                        "round vanilla",
                        "round crail",
                        "round vanilla",
                        "round crail",
                        "close crail",
                        "close vanilla",
                        "prepare vanilla on disk",
                        "check vanilla on disk",
                        "round vanilla on disk",
                        "round vanilla on disk",
                        "close vanilla on disk",
                        "prepare vanilla",
                        "check vanilla",
                        "round vanilla",
                        "round vanilla",
                        "close vanilla");
        assertThat(result.size()).isEqualTo(3);
        assertThat(result.speedup()).isEqualTo(2);
        assertThat(result.met()).isTrue();
        assertThat(result.isCompared()).isTrue();
        assertThat(open).isZero();
    }

    @Test
    void eachRoundIsCleanedUpBehind() throws IOException {
        run(ROW);
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).startsWith("round") || events.get(i).startsWith("check")) {
                assertThat(events.get(i + 1)).isEqualTo("clean");
            }
        }
    }

    @Test
    void aColdRoundIsTheFirstOfItsApplication() throws IOException {
        SparkResult result = run(ROW.inNewApplications());
        assertThat(result.size()).isEqualTo(2);
        assertThat(without("clean").subList(0, 6))
                .containsExactly(
                        "prepare vanilla",
                        "prepare crail",
                        "round vanilla",
                        "round crail",
                        "close crail",
                        "close vanilla");
        assertThat(events).noneMatch(event -> event.startsWith("check"));
    }

    @Test
    void eachColdRoundOfVanillaAloneHasAnApplicationToItself() throws IOException {
        SparkEffort twoOfEach = new SparkEffort(1, 1, 2, 0, 0, 2, true);
        List<ProcessHandle> servers = List.of(ProcessHandle.current());
        new Duel(ROW.inNewApplications(), twoOfEach, launcher, servers, new Noting()).run();
        assertThat(without("clean").subList(6, 18))
                .containsExactly(
                        "prepare vanilla on disk",
                        "round vanilla on disk",
                        "close vanilla on disk",
                        "prepare vanilla on disk",
                        "round vanilla on disk",
                        "close vanilla on disk",
                        "prepare vanilla",
                        "round vanilla",
                        "close vanilla",
                        "prepare vanilla",
                        "round vanilla",
                        "close vanilla");
    }

    @Test
    void figuresAreMediansOfAtLeastFiveRounds() {
        assertThat(SparkEffort.FULL.pairs()).isGreaterThanOrEqualTo(5);
        assertThat(SparkEffort.FULL.coldPairs()).isGreaterThanOrEqualTo(5);
        assertThat(SparkEffort.FULL.others()).isGreaterThanOrEqualTo(5);
    }

    @Test
    void applicationsThatTakeTurnsNeverLiveTogether() throws IOException {
        SparkResult result = run(ROW.inTurn());
        assertThat(mostOpen).isEqualTo(1);
        assertThat(open).isZero();
        assertThat(without("clean").subList(0, 14))
                .containsExactly(
                        "prepare vanilla",
                        "check vanilla",
                        "round vanilla",
                        "round vanilla",
                        "round vanilla",
                        "round vanilla",
                        "close vanilla",
                        "prepare crail",
                        "check crail",
                        "round crail",
                        "round crail",
                        "round crail",
                        "round crail",
                        "close crail");
        assertThat(result.size()).isEqualTo(3);
        assertThat(result.speedup()).isEqualTo(2);
    }

    @Test
    void turnsAreShortSoThatWhatHappensOnTheMachineDisturbsBoth() throws IOException {
        List<ProcessHandle> servers = List.of(ProcessHandle.current());
        SparkResult result =
                new Duel(ROW.inTurn(), EFFORT.withPairs(10), launcher, servers, new Noting()).run();
        assertThat(result.size()).isEqualTo(10);
        assertThat(without("clean").stream().filter(event -> event.startsWith("prepare")).limit(6))
                .containsExactly(
                        "prepare vanilla",
                        "prepare crail",
                        "prepare vanilla",
                        "prepare crail",
                        "prepare vanilla",
                        "prepare crail");
    }

    @Test
    void vanillaGetsTheMemoryOfTheServersToo() throws IOException {
        SparkResult result = run(ROW);
        Shape last = shapes.get(shapes.size() - 1);
        assertThat(last.heapMebibytes())
                .isEqualTo(1024 + (int) ((result.serverBytes() / 2) >> 20))
                .isGreaterThan(1024);
        assertThat(shapes.subList(0, 3)).containsOnly(SHAPE);
    }

    @Test
    void theTimeIsThatOfOneJob() throws IOException {
        SparkResult result = run(ROW.times(4));
        assertThat(result.crailSeconds()).isEqualTo(0.25);
        assertThat(result.diskSeconds()).isEqualTo(0.5);
    }

    @ParameterizedTest
    @EnumSource(Living.class)
    void resultsAreComparedHoweverLongApplicationsLive(Living living) throws IOException {
        SparkRow row =
                switch (living) {
                    case TOGETHER -> ROW;
                    case ONE_ROUND -> ROW.inNewApplications();
                    case IN_TURN -> ROW.inTurn();
                };
        assertThat(run(row).json()).containsEntry("identical", true);
    }

    @Test
    void oneSideByItselfIsComparedWithNothing() throws IOException {
        Rounds some = new Rounds(ROW, EFFORT);
        some.round(new Told(Side.CRAIL), Side.CRAIL, List.of());
        assertThat(some.compared(Side.VANILLA_SHARED_MEMORY, Side.CRAIL)).isFalse();
        some.round(new Told(Side.VANILLA_DISK), Side.VANILLA_DISK, List.of());
        assertThat(some.compared(Side.VANILLA_SHARED_MEMORY, Side.CRAIL)).isFalse();
    }

    @Test
    void aResultThatIsAnotherOneIsAnErrorThatNamesTheSide() {
        wrongRound = 5;
        assertThatThrownBy(() -> run(ROW))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("row row")
                .hasMessageContaining("crail");
        assertThat(open).isZero();
    }

    @Test
    void aResultThatDiffersInBytesThatRoundsDoNotLookAtIsFound() {
        wrongRound = 1;
        assertThatThrownBy(() -> run(ROW)).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void anApplicationThatFailsTakesTheOtherAlong() {
        failingRound = 4;
        assertThatThrownBy(() -> run(ROW)).isInstanceOf(InternalException.class);
        assertThat(open).isZero();
    }
}
