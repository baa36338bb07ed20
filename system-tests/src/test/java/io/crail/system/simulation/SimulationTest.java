// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random scenarios with random faults against the invariants. {@code -Dcrail.seeds=N} runs N seeds,
 * {@code -Dcrail.seed=S} begins with S; a failure names its seed and what is left of the scenario
 * after shrinking.
 */
@Tag("faults")
class SimulationTest {
    private static final Logger LOG = LoggerFactory.getLogger(SimulationTest.class);
    private static final long FIRST = Long.getLong("crail.seed", 1);
    private static final int SEEDS = Integer.getInteger("crail.seeds", 200);
    private static final int SHRINKING = 60;

    /** Mappings of removed segment files keep their memory until they are garbage. */
    private static final int RUNS_PER_COLLECTION = 50;

    @SuppressWarnings("NullAway.Init") // Set before the first test.
    private static Path place;

    @BeforeAll
    static void makePlace() throws IOException {
        Path memory = Path.of("/dev/shm");
        place =
                Files.isWritable(memory)
                        ? Files.createTempDirectory(memory, "crail-simulation")
                        : Files.createTempDirectory("crail-simulation");
    }

    @AfterAll
    static void removePlace() throws IOException {
        remove(place);
    }

    @Test
    @Timeout(3_600)
    void noSeedBreaksAnInvariant() {
        long events = 0;
        long operations = 0;
        long failed = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Scenario scenario = Scenario.of(seed);
            Run.Outcome outcome = run(scenario);
            if (!outcome.violations().isEmpty()) {
                report(scenario, outcome.violations());
            }
            events += outcome.events();
            operations += outcome.operations();
            failed += outcome.failed();
            if (seed % RUNS_PER_COLLECTION == 0) {
                System.gc();
            }
        }
        LOG.info("{} seeds, {} events, {} calls, {} failed", SEEDS, events, operations, failed);
        assertThat(operations).as("calls that succeeded").isGreaterThan(2 * failed);
        assertThat(failed).as("calls that the faults made fail").isPositive();
    }

    /**
     * 8428: a second answer to a read, half arrived, went on into a buffer given back meanwhile.
     */
    @ParameterizedTest
    @ValueSource(longs = 8428)
    void whatWasFoundOnceStaysMended(long seed) {
        Scenario scenario = Scenario.of(seed);

        assertThat(run(scenario).violations()).as("%s", scenario).isEmpty();
    }

    @Test
    void theSameSeedIsTheSameRun() {
        for (long seed = FIRST; seed < FIRST + 5; seed++) {
            Run.Outcome first = run(Scenario.of(seed));

            assertThat(run(Scenario.of(seed))).as("seed %d", seed).isEqualTo(first);
        }
    }

    @Test
    void anotherSeedIsAnotherRun() {
        assertThat(run(Scenario.of(FIRST)).trace())
                .isNotEqualTo(run(Scenario.of(FIRST + 1)).trace());
    }

    /** Its process stands still while another writer takes the file over, and then goes on. */
    @Test
    void aWriterThatWasStoppedForLongerThanItsLeaseIsFenced() {
        int fenced = 0;
        for (long seed = FIRST; seed < FIRST + 10; seed++) {
            long second = TimeUnit.SECONDS.toNanos(1);
            List<Step> steps =
                    List.of(
                            new Step(second, 0, Step.Kind.APPEND, 0, 5_000, 5, 2 * second),
                            new Step(7 * second, 1, Step.Kind.APPEND, 0, 3_000, 3, second),
                            new Step(8 * second, 1, Step.Kind.READ_APPENDED, 0, 0, 0, 0),
                            new Step(18 * second, 1, Step.Kind.READ_APPENDED, 0, 0, 0, 0));
            Fault stop = new Fault(2 * second, Fault.Kind.FREEZE_CLIENT, 0, 6 * second);

            Run.Outcome outcome = run(Scenario.of(seed).with(steps, List.of(stop)));

            assertThat(outcome.violations()).as("seed %d", seed).isEmpty();
            fenced += outcome.errors().contains(ErrorCode.LEASE_LOST) ? 1 : 0;
        }
        assertThat(fenced).as("runs in which the stopped writer was told").isEqualTo(10);
    }

    @Test
    void filesOfSeveralClientsAreCutAndJoinedWhole() {
        long second = TimeUnit.SECONDS.toNanos(1);
        List<Step> steps = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            steps.add(new Step(i * second, i % 2, Step.Kind.SPLICE, 0, 1_000 * i, i % 5, 0));
        }
        steps.add(new Step(15 * second, 0, Step.Kind.READ_JOINED, 0, 0, 0, 0));

        Run.Outcome outcome = run(Scenario.of(FIRST).with(steps, List.of()));

        assertThat(outcome.violations()).isEmpty();
        assertThat(outcome.failed())
                .as("all but the first who make what they share; the audit of what nobody made")
                .isEqualTo(5 + 5);
        assertThat(outcome.errors())
                .containsExactlyInAnyOrder(ErrorCode.NODE_EXISTS, ErrorCode.NO_SUCH_NODE);
        assertThat(outcome.operations()).as("calls of six chains").isGreaterThan(6 * 18);
    }

    private static void report(Scenario scenario, List<String> violations) {
        Scenario smallest =
                new Shrinker(candidate -> !run(candidate).violations().isEmpty(), SHRINKING)
                        .shrink(scenario);
        assertThat(violations)
                .as(
                        "seed %d; run it again with -Dcrail.seed; shrunk: %s",
                        scenario.seed(), smallest)
                .isEmpty();
    }

    private static Run.Outcome run(Scenario scenario) {
        try {
            // Always the same one: errors name files in it, and go over the network.
            Path directory = Files.createDirectory(place.resolve("run"));
            try {
                return Run.of(scenario, directory);
            } finally {
                remove(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
