// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.limit.Disk;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds of applications that only say that they did something, and a disk that is one. */
class FlashDuelTest {
    private static final long MIB = 1L << 20;
    private static final Shape SHAPE = new Shape(2, 2, 1024, 512);
    private static final SparkEffort EFFORT = new SparkEffort(3, 2, 2, 0, 0, 1, true);
    private static final Job JOB =
            new Job("nothing", Map.of("maps", 10, "records", 1024, "bytes", 1024));
    private static final SparkRow ROW =
            SparkRow.warm("row", JOB, SHAPE, SparkTarget.atMost(1.5)).withInMemory(0.2);
    private static final long SECOND = 1_000_000_000L;

    @TempDir private Path directory;

    private final List<String> events = new ArrayList<>();
    private long flashNanos = 5 * SECOND / 4;
    private long flashDigest = 8;
    private long memory;
    private boolean shuffleIsThere;

    /** With all in memory it needs a second. */
    private final class Told implements SparkApplication {
        private final Side side;

        Told(Side side) {
            this.side = side;
        }

        @Override
        public void prepare(Job job) {}

        @Override
        public Round round(boolean check) {
            events.add(side.text());
            shuffleIsThere = true;
            boolean flash = side == Side.CRAIL_FLASH;
            return new Round(flash ? flashNanos : SECOND, check ? 7 : flash ? flashDigest : 8);
        }

        @Override
        public void clean() {
            shuffleIsThere = false;
        }

        @Override
        public List<ProcessHandle> processes() {
            return List.of();
        }

        @Override
        public void close() {
            events.add("close");
        }
    }

    private final class Store implements FlashStore {
        @Override
        public List<ProcessHandle> servers() {
            return List.of();
        }

        @Override
        public Path directory() {
            return directory;
        }

        @Override
        public Use use() {
            return shuffleIsThere ? new Use(2 * MIB, 8 * MIB) : new Use(0, 0);
        }
    }

    private static final SparkProgress SILENT =
            new SparkProgress() {
                @Override
                public void begins(String row) {}

                @Override
                public void measured(List<SparkOutcome> results) {}

                @Override
                public void step(String what) {}
            };

    private FlashResult run() throws IOException {
        FlashStore.Provider provider =
                (bytes, flash, trial) -> {
                    memory = bytes;
                    assertThat(flash).isGreaterThan(10 * MIB);
                    return trial.with(new Store());
                };
        return new FlashDuel(
                        ROW, EFFORT, (side, shape) -> new Told(side), List.of(), provider, SILENT)
                .run();
    }

    @Test
    void memoryHasAFifthOfTheBytesAndTheRestIsSeenOnFlash() throws IOException {
        FlashResult result = run();
        assertThat(memory).isEqualTo(2 * MIB);
        assertThat(result.flashShare()).isEqualTo(0.8);
        assertThat(result.json()).containsEntry("flash_mib", 8L).containsEntry("memory_mib", 2L);
    }

    @Test
    void roundsAlternateAndOnlyThoseBehindTheWarmUpCount() throws IOException {
        FlashResult result = run();
        assertThat(result.size()).isEqualTo(3);
        assertThat(events).hasSize(2 * (2 + 3) + 2);
        for (int i = 0; i < 10; i += 2) {
            assertThat(events.subList(i, i + 2)).containsExactly("crail", "crail on flash");
        }
    }

    @Test
    void theRatioIsThatOfTheTimesAndMeetsItsTargetFromBelow() throws IOException {
        FlashResult met = run();
        assertThat(met.ratio()).isEqualTo(1.25);
        assertThat(met.target()).isEqualTo("<= 1.5");
        assertThat(met.met()).isTrue();
        flashNanos = 2 * SECOND;
        assertThat(run().met()).isFalse();
    }

    @Test
    void theDiskIsMeasuredWithAsManyBytesAndNothingStaysOnIt() throws IOException {
        FlashResult result = run();
        assertThat(result.disk().writing()).isPositive();
        assertThat(result.disk().reading()).isPositive();
        assertThat(result.disk().direct()).isEqualTo(Disk.isDirectIn(directory));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void anotherResultThanThatOfMemoryIsAnError() {
        flashDigest = 9;
        assertThatThrownBy(this::run)
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("crail on flash");
        assertThat(events.stream().filter(event -> event.equals("close"))).hasSize(2);
    }

    @Test
    void jsonHasWhatEveryRowHas() throws IOException {
        Map<String, @Nullable Object> json = run().json();
        assertThat(json).containsKeys(SparkResultTest.OF_EVERY_ROW);
        assertThat(json)
                .containsEntry("vanilla_shm_s", null)
                .containsEntry("vanilla_disk_s", null)
                .containsEntry("identical", true)
                .containsEntry("ratio", 1.25)
                .containsEntry("speedup", 0.8);
    }

    @Test
    void jsonSaysAllThatIsNeededToJudge() throws IOException {
        assertThat(run().json())
                .containsKeys(
                        "row",
                        "crail_s",
                        "memory_s",
                        "ratio",
                        "spread",
                        "interval",
                        "cpu_s",
                        "flash_share",
                        "disk_s",
                        "disk_write_s",
                        "disk_read_s",
                        "disk_direct",
                        "target",
                        "met",
                        "pairs",
                        "load",
                        "steal");
    }
}
