// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmark starts applications of Spark for itself, of which nothing stays. */
@Tag("spark")
@Timeout(1_000)
class BenchSparkTest extends InOwnState {
    private static final long BOUND_SECONDS = 900;
    private static final String DRIVER = "io.crail.bench.spark.work.DriverMain";
    private static final String EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend";

    /** Where a driver has its files: the argument after its class. */
    private static Path files(ProcessHandle driver) {
        return argument(driver, 1);
    }

    /** Where temporary files of it and of its executors are: the next one. */
    private static Path temporary(ProcessHandle driver) {
        return argument(driver, 2);
    }

    private static Path argument(ProcessHandle driver, int number) {
        List<String> arguments = List.of(driver.info().arguments().orElseThrow());
        return Path.of(arguments.get(arguments.indexOf(DRIVER) + number));
    }

    @Test
    @Tag("long")
    void rowsAreMeasuredWithAndWithoutCrail() throws IOException {
        Path file = directory.resolve("results.json");
        // It starts six executors in turn, which takes its time on a machine that is busy.
        Command run =
                Command.start(
                        directory,
                        "bench",
                        "spark",
                        "--quick",
                        "--pairs",
                        "1",
                        "--rows",
                        "smallblocks_200",
                        "--json",
                        file.toString());
        List<Path> temporary = new ArrayList<>();
        run.await(
                () -> {
                    run.descendants(DRIVER).forEach(each -> temporary.add(temporary(each)));
                    return !temporary.isEmpty();
                });
        assertThat(run.awaitEnd(BOUND_SECONDS)).as(run.err()).isZero();
        assertThat(temporary).isNotEmpty().noneMatch(Files::exists);
        assertThat(run.out())
                .containsPattern("smallblocks_200 +[0-9.]+ +[0-9.]+ +[0-9.]+")
                .contains("Results of crail and of Spark as shipped are identical.");
        List<Map<String, @Nullable Object>> rows =
                Files.readAllLines(file).stream().map(JsonText::object).toList();
        assertThat(rows)
                .hasSize(1)
                .allSatisfy(
                        row ->
                                assertThat(row)
                                        .containsEntry("row", "smallblocks_200")
                                        .containsEntry("pairs", 1.0)
                                        .containsEntry("identical", true)
                                        .containsEntry("executors", 2.0)
                                        .containsEntry("heap_mib", 1024.0)
                                        .hasEntrySatisfying("crail_s", BenchSparkTest::isPositive)
                                        .hasEntrySatisfying(
                                                "vanilla_shm_s", BenchSparkTest::isPositive)
                                        .hasEntrySatisfying(
                                                "vanilla_disk_s", BenchSparkTest::isPositive)
                                        .hasEntrySatisfying("speedup", BenchSparkTest::isPositive)
                                        .hasEntrySatisfying("cpu_s", BenchSparkTest::isPositive)
                                        .hasEntrySatisfying(
                                                "vanilla_cpu_s", BenchSparkTest::isPositive)
                                        .hasEntrySatisfying("store_mib", BenchSparkTest::isPositive)
                                        .containsKeys("spread", "interval", "target", "met"));
        assertThat(state.processes()).isEmpty();
    }

    @Test
    @Tag("long")
    void memoryAndFlashAreComparedAndTheDiskIsFreeAgain() throws IOException {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        Path file = directory.resolve("results.json");
        Command run =
                Command.start(
                        directory,
                        "bench",
                        "spark",
                        "--quick",
                        "--pairs=1",
                        "--rows=groupby_flash",
                        "--flash-dir=" + disk,
                        "--json",
                        file.toString());
        assertThat(run.awaitEnd(BOUND_SECONDS)).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("groupby_flash +[0-9.]+ +[0-9.]+ +[0-9.]+")
                .contains("Results of crail on flash and with all in memory are identical.")
                .doesNotContain("Spark as shipped");
        assertThat(JsonText.object(Files.readAllLines(file).get(0)))
                .containsEntry("row", "groupby_flash")
                .containsEntry("identical", true)
                .hasEntrySatisfying("crail_s", BenchSparkTest::isPositive)
                .hasEntrySatisfying("memory_s", BenchSparkTest::isPositive)
                .hasEntrySatisfying("disk_s", BenchSparkTest::isPositive)
                .hasEntrySatisfying(
                        "flash_share",
                        share ->
                                assertThat(share)
                                        .isInstanceOfSatisfying(
                                                Double.class,
                                                part -> assertThat(part).isBetween(0.7, 0.95)));
        assertThat(state.processes()).isEmpty();
        assertThat(disk).isEmptyDirectory();
    }

    private static void isPositive(@Nullable Object value) {
        assertThat(value)
                .isInstanceOfSatisfying(Double.class, number -> assertThat(number).isPositive());
    }

    @Test
    void nothingStaysOfABenchmarkThatIsKilled() {
        endEarly(Command::kill);
    }

    @Test
    @Tag("long")
    void nothingStaysOfABenchmarkThatIsTerminated() {
        endEarly(Command::terminate);
    }

    @Test
    @Tag("long")
    void nothingStaysOfABenchmarkThatIsInterrupted() {
        endEarly(Command::interrupt);
    }

    private void endEarly(Consumer<Command> end) {
        try (Command run =
                Command.start(directory, "bench", "spark", "--quick", "--rows", "smallblocks")) {
            run.await(() -> run.descendants(EXECUTOR).size() == 4 && isInTheMiddle(run));
            assertThat(run.isAlive()).as(run.err()).isTrue();
            List<ProcessHandle> drivers = run.descendants(DRIVER);
            List<ProcessHandle> executors = run.descendants(EXECUTOR);
            List<Path> files =
                    drivers.stream()
                            .flatMap(each -> Stream.of(files(each), temporary(each)))
                            .toList();
            assertThat(files).hasSize(4).allMatch(Files::exists);
            // What a JVM unpacks it would remove at its end, to which none comes that is killed.
            assertThat(drivers).anyMatch(each -> has(temporary(each), "liblz4-java-"));
            end.accept(run);
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .untilAsserted(
                            () -> {
                                assertThat(drivers).noneMatch(State::runs);
                                assertThat(executors).noneMatch(State::runs);
                                assertThat(files).noneMatch(Files::exists);
                                assertThat(state.processes()).isEmpty();
                            });
        }
    }

    /** Whether a job of vanilla is under way: it has written shuffles. */
    private static boolean isInTheMiddle(Command run) {
        return run.descendants(DRIVER).stream().anyMatch(driver -> has(files(driver), "shuffle_"));
    }

    private static boolean has(Path directory, String prefix) {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.anyMatch(path -> path.getFileName().toString().startsWith(prefix));
        } catch (IOException | UncheckedIOException e) {
            return false; // something has just gone
        }
    }

    @Test
    void aRowThatDoesNotExistIsToldBeforeAnythingIsStarted() {
        Command run = Command.run(directory, "bench", "spark", "--quick", "--rows", "grupby");
        assertThat(run.status()).isNotZero();
        assertThat(run.err()).contains("grupby", "groupby_cold").doesNotContain("starting");
    }
}
