// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The benchmark of NVMe over Fabrics; skipped where there is no fio. */
@Tag("system")
@Timeout(180)
class BenchNvmfTest extends InOwnState {
    @BeforeEach
    void needsFio() {
        String path = System.getenv().getOrDefault("PATH", "");
        assumeThat(Arrays.stream(path.split(File.pathSeparator, -1)))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "fio")));
    }

    @Test
    void rowsAreMeasuredBesideFioAndNothingIsLeft() throws IOException {
        Path results = directory.resolve("results.json");
        Path file = directory.resolve("bench.img");
        Command run =
                Command.run(
                        directory,
                        "bench",
                        "nvmf",
                        "--quick",
                        "--pairs",
                        "2",
                        "--size",
                        "16MiB",
                        "--file",
                        file.toString(),
                        "--json",
                        results.toString());
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("nvmf_read4k +depth 1, one-core +[0-9.,]+ +[0-9.,]+ +us ")
                .containsPattern("nvmf_read4k +depth 32 +[0-9.,]+ +[0-9.,]+ +1/s ")
                .containsPattern("nvmf_read4k +depth 1, one-core, Unix socket +[0-9.,]+ +")
                .containsPattern("nvmf_read4k +depth 32, Unix socket +[0-9.,]+ +")
                .containsPattern("nvmf_seqread +1 MiB, depth 8 +[0-9.]+ +[0-9.]+ +GB/s ")
                .containsPattern("nvmf_seqread +1 MiB, depth 8, shared memory +[0-9.]+ ")
                .containsPattern("nvmf_seqread +1 MiB, depth 8, shared memory, in place +[0-9.]+ ")
                .containsPattern("nvmf_seqread +1 MiB, depth 8, shared memory, all cores .*pread ")
                .containsPattern("nvmf_seqwrite +1 MiB, depth 8, shared memory, all cores .*copy ")
                .containsPattern("nvmf_seqread +1 MiB, depth 8, all cores .*pread [+] send")
                .containsPattern("nvmf_seqwrite +1 MiB, depth 8, all cores .*receive [+] pwrite")
                .containsPattern("nvmf_seqwrite +1 MiB, depth 8 ")
                .containsPattern("nvmf_seqwrite +1 MiB, depth 8, shared memory ");
        List<String> lines = Files.readAllLines(results);
        assertThat(lines).hasSize(15);
        assertThat(lines.get(2))
                .containsPattern(
                        "\"setting\": \"depth 32\", \"spread\": .*\"runs\": 2, .*\"target\": \">= 0.70\"");
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatWasThereIsNotWrittenUnasked() throws IOException {
        Path file = directory.resolve("mine.img");
        byte[] content = new byte[16 << 20];
        Arrays.fill(content, (byte) 7);
        Files.write(file, content);
        Command run =
                Command.run(
                        directory,
                        "bench",
                        "nvmf",
                        "--quick",
                        "--rows=nvmf_seqwrite",
                        "--file",
                        file.toString());
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("skipped: it would overwrite");
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }
}
