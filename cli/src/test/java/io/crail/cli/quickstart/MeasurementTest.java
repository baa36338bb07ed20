// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.bench.measure.Comparison;
import io.crail.bench.measure.Latencies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasurementTest {
    private static final int MIB = 1 << 20;

    private static Measurement row(Measurement.Kind kind, double... valuesAndLimits) {
        Comparison comparison = new Comparison("limit");
        for (int i = 0; i < valuesAndLimits.length; i += 2) {
            comparison.add(valuesAndLimits[i], valuesAndLimits[i + 1]);
        }
        return new Measurement("x", "1", 500_000_000, kind, comparison);
    }

    @Test
    void throughputIsComparedWithTheLimit() {
        Measurement row = row(Measurement.Kind.THROUGHPUT, 200.0 * MIB, 400.0 * MIB);
        assertThat(row.time()).isEqualTo("0.50 s");
        assertThat(row.rate()).isEqualTo("200 MiB/s");
        assertThat(row.limit()).isEqualTo("400 MiB/s");
        assertThat(row.ratio()).isEqualTo("0.50 ");
        assertThat(row.range()).isEmpty();
    }

    @Test
    void theRatioIsTheMedianOfThePairsAndHasARange() {
        Measurement row =
                row(Measurement.Kind.LATENCY, 10_000, 10_000, 36_000, 12_000, 22_000, 11_000);
        assertThat(row.rate()).isEqualTo("22.0 us");
        assertThat(row.limit()).isEqualTo("11.0 us");
        assertThat(row.ratio()).isEqualTo("2.00 ");
        assertThat(row.range()).isEqualTo("1.00 .. 3.00");
        assertThat(row.json())
                .containsEntry("nanosPerOperation", 22_000.0)
                .containsEntry("limitNanosPerOperation", 11_000.0)
                .containsEntry("ratioLowest", 1.0)
                .containsEntry("ratioHighest", 3.0)
                .containsEntry("steady", true);
    }

    @Test
    void aLimitThatVariesMakesTheRatioVoid() {
        Measurement row = row(Measurement.Kind.COUNT, 5, 10, 5, 14);
        assertThat(row.ratio()).endsWith("*");
        assertThat(row.json()).containsEntry("steady", false);
    }

    @Test
    void quantilesOfLatencies() {
        Latencies latencies = new Latencies(200);
        for (int i = 100; i > 0; i--) {
            latencies.add(i);
        }
        assertThat(latencies.count()).isEqualTo(100);
        assertThat(latencies.median()).isEqualTo(51);
        assertThat(latencies.quantile(0.99)).isEqualTo(100);
        assertThat(new Latencies(1).median()).isZero();
    }

    @Test
    void aTimeAloneHasNoRate() {
        Measurement row = Measurement.time("x", "3", 1_000_000_000);
        assertThat(row.rate() + row.limit() + row.ratio() + row.range()).isEmpty();
        assertThat(row.json()).doesNotContainKeys("limit", "ratio");
    }

    @Test
    void theGeneratedFileIsTheSameEachTimeAndItsBlocksDiffer() {
        GeneratedFile file = new GeneratedFile(20L * MIB + 5);
        assertThat(file.checksum())
                .isEqualTo(new GeneratedFile(20L * MIB + 5).checksum())
                .isNotEqualTo(new GeneratedFile(20L * MIB + 5, 1).checksum());
        Set<Long> blocks = new HashSet<>();
        long bytes = 0;
        for (long position = 0; position < file.length(); position += MIB) {
            ByteBuffer block = file.block(position);
            bytes += block.remaining();
            CRC32C crc = new CRC32C();
            crc.update(block);
            blocks.add(crc.getValue());
        }
        assertThat(bytes).isEqualTo(file.length());
        assertThat(blocks).hasSize(21);
    }

    @Test
    void theMachinesLimitsArePlausible() throws IOException {
        assertThat(Loopback.roundTrips().median()).isPositive();
        assertThat(Loopback.stream(16L * MIB)).isPositive();
        assertThat(new MemoryWork(1).copy(16L * MIB)).isPositive();
        assertThat(new MemoryWork(2).copy(16L * MIB)).isPositive();
        assertThat(new MemoryWork(1).checksum(16L * MIB)).isPositive();
    }

    @Test
    void outputOfBuildsIsNotPartOfTheTree(@TempDir Path root) throws IOException {
        for (String file : new String[] {"a/b/x", "target/y", "a/target/z", ".git/w", "v"}) {
            Files.createDirectories(root.resolve(file).getParent());
            Files.writeString(root.resolve(file), file);
        }
        SourceTree tree = SourceTree.of(root);
        assertThat(tree.files()).containsExactlyInAnyOrder(Path.of("a/b/x"), Path.of("v"));
        assertThat(tree.directories()).containsExactlyInAnyOrder(Path.of("a"), Path.of("a/b"));
        assertThat(tree.bytes()).isEqualTo(6);
    }
}
