// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

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

    @Test
    void throughputIsComparedWithTheLimit() {
        Measurement row = Measurement.throughput("x", "1", 100L * MIB, 500_000_000, 400.0 * MIB);
        assertThat(row.time()).isEqualTo("0.50 s");
        assertThat(row.rate()).isEqualTo("200 MiB/s");
        assertThat(row.limitText()).isEqualTo("400 MiB/s");
        assertThat(row.ratio()).isEqualTo("0.50");
    }

    @Test
    void latencyIsTheMedian() {
        Latencies latencies = new Latencies(10);
        for (long nanos : new long[] {1_000_000, 20_000, 10_000, 30_000, 20_000}) {
            latencies.add(nanos);
        }
        Measurement row = Measurement.latency("x", latencies, 10_000);
        assertThat(row.rate()).isEqualTo("20.0 us");
        assertThat(row.ratio()).isEqualTo("2.00");
        assertThat(row.amount()).isEqualTo("5");
    }

    @Test
    void aTimeAloneHasNoRate() {
        Measurement row = Measurement.time("x", "3", 1_000_000_000);
        assertThat(row.rate() + row.limitText() + row.ratio()).isEmpty();
        assertThat(row.json()).doesNotContainKey("value");
    }

    @Test
    void theGeneratedFileIsTheSameEachTimeAndItsBlocksDiffer() {
        GeneratedFile file = new GeneratedFile(20L * MIB + 5);
        assertThat(file.checksum()).isEqualTo(new GeneratedFile(20L * MIB + 5).checksum());
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
        MachineLimits limits = MachineLimits.measure(16L * MIB);
        assertThat(limits.bytesPerSecond()).isPositive();
        assertThat(limits.roundTripNanos()).isPositive();
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
