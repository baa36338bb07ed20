// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.stage.Setting;
import io.crail.error.InvalidArgumentException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BenchmarksTest {
    private static final List<String> FREE = List.of("free");

    private static MetadataBenchmark metadata(
            List<String> operations, List<String> transports, List<Integer> depths)
            throws InvalidArgumentException {
        return new MetadataBenchmark(
                new MetadataBenchmark.Wishes(
                        operations,
                        transports,
                        List.of(1, 2),
                        List.of(1, 4),
                        depths,
                        100,
                        10,
                        3,
                        FREE));
    }

    private static DataBenchmark data(
            List<String> sizes, List<Integer> depths, List<String> checksums)
            throws InvalidArgumentException {
        return new DataBenchmark(
                new DataBenchmark.Wishes(
                        List.of(), List.of(), sizes, depths, checksums, "16MiB", FREE));
    }

    private static KvBenchmark kv(List<String> sizes, List<Integer> threads, int values)
            throws InvalidArgumentException {
        return new KvBenchmark(
                new KvBenchmark.Wishes(List.of(), List.of("tcp"), sizes, threads, values, FREE));
    }

    private static List<String> titles(Benchmark benchmark) {
        return benchmark.rows().stream().map(LoadRow::title).toList();
    }

    private static void assertRefused(ThrowingCallable wish, String... words) {
        assertThatThrownBy(wish)
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void everyOperationIsMeasuredInEveryCombination() throws InvalidArgumentException {
        assertThat(titles(metadata(List.of(), List.of(), List.of(1, 16))))
                // Two ways, two numbers of processes and of threads; listings as a whole block.
                .hasSize(2 * 2 * 2 * (4 * 2 + 1))
                .doesNotHaveDuplicates()
                .contains(
                        "lookup: unix, 1 thread, depth 1, free",
                        "create: tcp, 2 x 4 threads, depth 16, free",
                        "list-all: tcp, 2 x 1 thread, depth 1, free")
                .doesNotContain("list-all: tcp, 2 x 1 thread, depth 16, free");
        assertThat(titles(data(List.of("4KiB", "1MiB"), List.of(1, 4), List.of("on", "off"))))
                .hasSize(2 * 2 * 4 * 2 * 2)
                .doesNotHaveDuplicates()
                .contains(
                        "seq-read: shm, 4 KiB, depth 1, free",
                        "random-write: tcp, 1 MiB, depth 4, checksums off, free");
        assertThat(titles(kv(List.of("100B", "1KiB"), List.of(1), 16)))
                .containsExactly(
                        "put: tcp, 100 B, 1 thread, free",
                        "put: tcp, 1 KiB, 1 thread, free",
                        "get: tcp, 100 B, 1 thread, free",
                        "get: tcp, 1 KiB, 1 thread, free",
                        "multi-put: tcp, 100 B x 16, 1 thread, free",
                        "multi-put: tcp, 1 KiB x 16, 1 thread, free",
                        "multi-get: tcp, 100 B x 16, 1 thread, free",
                        "multi-get: tcp, 1 KiB x 16, 1 thread, free");
    }

    @Test
    void everyRowIsMeasuredInEverySettingOfCoresByItself() throws InvalidArgumentException {
        List<String> settings = List.of("two-core", "free", "one-core");
        KvBenchmark benchmark =
                new KvBenchmark(
                        new KvBenchmark.Wishes(
                                List.of("get"),
                                List.of("tcp"),
                                List.of("100B"),
                                List.of(1),
                                16,
                                settings));
        assertThat(titles(benchmark))
                .containsExactly(
                        "get: tcp, 100 B, 1 thread, free",
                        "get: tcp, 100 B, 1 thread, one-core",
                        "get: tcp, 100 B, 1 thread, two-core");
        assertThat(benchmark.rows().stream().map(LoadRow::cores)).containsExactly(Setting.values());
    }

    @Test
    void limitsSpinOnlyWhereEachSideHasACoreOfItsOwn() {
        assertThat(Setting.ONE_CORE.spins(1)).isFalse();
        assertThat(Setting.TWO_CORE.spins(1)).isTrue();
        assertThat(Setting.TWO_CORE.spins(2)).isFalse();
        assertThat(Setting.FREE.spins(Runtime.getRuntime().availableProcessors())).isFalse();
    }

    @Test
    void aWishThatIsRepeatedIsMeasuredOnce() throws InvalidArgumentException {
        assertThat(titles(kv(List.of("1KiB", "1024"), List.of(2, 2), 2))).hasSize(4);
    }

    @Test
    void theWishedOperationsAreMeasuredInTheOrderOfTheTable() throws InvalidArgumentException {
        assertThat(titles(metadata(List.of("delete", "lookup"), List.of("tcp"), List.of(1))))
                .hasSize(8)
                .first()
                .isEqualTo("lookup: tcp, 1 thread, depth 1, free");
    }

    @Test
    void anImpossibleWishIsRefusedWithItsOptionAndWhatIsPossible() {
        List<Integer> one = List.of(1);
        List<String> size = List.of("4KiB");
        assertRefused(
                () -> metadata(List.of("lookups"), List.of(), one),
                "--operations lookups",
                "list-page",
                "did you mean 'lookup'?");
        assertRefused(() -> metadata(List.of(), List.of("shm"), one), "--transport shm", "unix");
        assertRefused(() -> metadata(List.of(), List.of(), List.of(0)), "--depth 0", "1..512");
        assertRefused(() -> metadata(List.of(), List.of(), List.of()), "--depth", "at least one");
        assertRefused(() -> data(List.of("4 potatoes"), one, List.of()), "--sizes", "potatoes");
        assertRefused(() -> data(List.of("8MiB"), one, List.of()), "--sizes 8MiB", "4 MiB");
        assertRefused(() -> data(size, List.of(65), List.of()), "--depth 65", "1..64");
        assertRefused(() -> data(size, one, List.of("maybe")), "--checksums maybe", "on, off");
        assertRefused(() -> kv(List.of("0"), one, 16), "--sizes 0", "1 B");
        assertRefused(() -> kv(size, List.of(65), 16), "--threads 65", "1..64");
        assertRefused(() -> kv(size, one, 1), "--values 1", "2..64");
    }

    @Test
    void aTimeTooShortOrTooLongIsRefused() throws InvalidArgumentException {
        assertRefused(() -> Pace.of(0), "--seconds 0.0", "0.1..300.0");
        assertRefused(() -> Pace.of(301), "--seconds");
        assertRefused(() -> Pace.of(Double.NaN), "--seconds NaN");
        Pace pace = Pace.of(2.4);
        // One batch of each to warm up, then as many as are compared.
        assertThat(pace.batch().toNanos() * 2 * (pace.batches() + 1)).isEqualTo(2_400_000_000L);
    }

    @Test
    void storageMustHoldWhatTheRowsWrite() throws InvalidArgumentException {
        assertThat(data(List.of("4KiB"), List.of(1), List.of("on")).capacity())
                .isGreaterThan((2L * 16) << 20);
        KvBenchmark large = kv(List.of("1MiB"), List.of(1), 64);
        assertThat(large.capacity()).isGreaterThan((2L * 64) << 20);
        assertThat(large.limitBytes()).isEqualTo(64 << 20);
    }
}
