// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.HadoopBenchmark.Cluster;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Servers;
import io.crail.error.InternalException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever does less than the operation demands is not measured but found out. */
class OperationsTest {
    private static final Effort EFFORT =
            new Effort(1, Duration.ofNanos(1), Duration.ofNanos(1), 20, 4 << 20, 2 << 20, 10);

    private static final Cluster NOBODY =
            new Cluster(
                    "127.0.0.1:1",
                    Map.of(),
                    new Servers(
                            way -> {
                                throw new InternalException("nobody is asked");
                            },
                            List.of()));

    /** All that there are, and how much of what its row counts each does. */
    private enum Known {
        STAT(1),
        LIST(20),
        CREATE(1),
        WRITE_SMALL(1),
        READ_SMALL(1),
        WRITE_LARGE(4),
        READ_LARGE(2),
        READ_PAGES(1),
        READ_RANGES(1);

        private final double amount;

        Known(double amount) {
            this.amount = amount;
        }

        Operation operation() {
            return switch (this) {
                case STAT -> SmallOperations.stat();
                case LIST -> SmallOperations.list();
                case CREATE -> SmallOperations.create();
                case WRITE_SMALL -> SmallOperations.write();
                case READ_SMALL -> SmallOperations.read();
                case WRITE_LARGE -> LargeOperations.write(Effort::fileBytes, 1 << 20);
                case READ_LARGE -> LargeOperations.read(Effort::streamBytes, 1 << 20);
                case READ_PAGES -> LargeOperations.readPages();
                case READ_RANGES -> LargeOperations.readRanges();
            };
        }
    }

    private final MemoryStore store = new MemoryStore();

    @ParameterizedTest
    @EnumSource(Known.class)
    void eachOperationCanBeRepeatedAndLeavesNothing(Known known) throws IOException {
        try (Contestant contestant = Contestant.prepare(store, "row", known.operation(), EFFORT)) {
            contestant.warmUp(Duration.ofNanos(1));
            assertThat(contestant.batch(Duration.ofNanos(1))).isPositive();
            assertThat(contestant.operations()).isEqualTo(1);
        }
        assertThat(store.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Known.class)
    void theFigureIsThatOfOneOfWhatTheRowCounts(Known known) throws IOException {
        store.mkdirs("/d");
        try (Operation.Ready ready = known.operation().prepare(store, "/d", EFFORT)) {
            assertThat(ready.amount()).isEqualTo(known.amount);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIST", "READ_SMALL", "READ_LARGE", "READ_PAGES"})
    void whoReadsLessOrOtherBytesFails(Known known) throws IOException {
        store.mkdirs("/d");
        try (Operation.Ready ready = known.operation().prepare(store, "/d", EFFORT)) {
            store.spoil();
            assertThatThrownBy(() -> ready.run(1)).isInstanceOf(InternalException.class);
        }
    }

    @Test
    void rangesAreDifferentAndDoNotTouchEachOther() throws IOException {
        store.mkdirs("/d");
        try (Operation.Ready ready = LargeOperations.readRanges().prepare(store, "/d", EFFORT)) {
            ready.run(0);
        }
        assertThat(store.asked()).hasSize(10).doesNotHaveDuplicates();
        assertThat(store.asked()).allMatch(position -> position % (16 << 10) == 0);
    }

    @Test
    void aRowThatNeedsHdfsIsSkippedWithoutIt() throws IOException {
        try (Stores none = new Stores(NOBODY, null)) {
            Row row = new HdfsRow("stat", SmallOperations.stat(), Label.PER_SECOND, null);
            assertThat(row.measure(none, EFFORT))
                    .singleElement()
                    .satisfies(result -> assertThat(result.skipped()).contains("HDFS"));
        }
    }
}
