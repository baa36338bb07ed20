// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.nvmf.MeasuredFile;
import io.crail.bench.nvmf.NvmfBenchmark;
import io.crail.bench.stage.Result;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** NVMe over Fabrics beside the device. */
@CommandLine.Command(
        name = "nvmf",
        description = {
            "Measures the flash tier's way to a device: the NVMe/TCP initiator through the built-in"
                    + " target, a process of its own, on loopback, beside fio on the same file or"
                    + " device (io_uring, O_DIRECT, the same size and depth), a raw stream, a"
                    + " ping-pong, and programs that only copy or send. Batches alternate; the ratio"
                    + " is the median of the pairs. A row whose limit varied by more than 1.3 is"
                    + " void and marked by *. Needs fio. See docs/benchmarks.md."
        },
        footer = {
            "",
            "Examples:",
            "  crail bench nvmf",
            "  crail bench nvmf --json results.json",
            "  crail bench nvmf --file /data/bench.img --size 8GiB",
            "  crail bench nvmf --file /dev/nvme0n1 --rows nvmf_read4k,nvmf_seqread",
            "  crail bench nvmf --rows nvmf_seqread --pairs 20",
            "  crail bench nvmf --quick"
        })
final class NvmfCommand extends Command {
    private static final String SIZE = "1GiB";
    private static final String SMALL_SIZE = "64MiB";

    @Mixin private final RowOptions options = new RowOptions();

    @Option(
            names = "--file",
            paramLabel = "PATH",
            description =
                    "File or block device to measure. One that does not exist is made and removed"
                            + " afterwards; one that does is only read. Default: a new file in the"
                            + " current directory")
    private @Nullable Path file;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            description =
                    "Bytes of the file, or of what is used of it. Default: 1GiB, with --quick 64MiB")
    private @Nullable String size;

    @Option(
            names = "--overwrite",
            description =
                    "Write to a file or device that exists, too: its first bytes, as many as --size"
                            + " says, are lost.")
    private boolean overwrite;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description =
                    "Pairs of batches of each row, fio and crail; more where the device is unsteady."
                            + " Default: 7, with --quick 3")
    private @Nullable Integer pairs;

    NvmfCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        NvmfBenchmark benchmark = benchmark();
        long bytes = bytes();
        if (file != null && Files.exists(file)) {
            measure(benchmark, MeasuredFile.existing(file, bytes));
            return;
        }
        Path made =
                (file != null
                                ? file
                                : Path.of("crail-bench-" + ProcessHandle.current().pid() + ".img"))
                        .toAbsolutePath();
        Leftovers.Removal removal = invocation.leftovers().add(() -> Files.deleteIfExists(made));
        try {
            say("writing " + new ByteSize(bytes).rounded() + " to " + made);
            measure(benchmark, MeasuredFile.make(made, bytes));
        } finally {
            Files.deleteIfExists(made);
            invocation.leftovers().forget(removal);
        }
    }

    private NvmfBenchmark benchmark() throws InvalidArgumentException {
        NvmfBenchmark benchmark = new NvmfBenchmark(options.rows(), options.quick());
        return pairs == null ? benchmark : benchmark.withPairs(RowOptions.check("--pairs", pairs));
    }

    private long bytes() throws InvalidArgumentException {
        String text = size != null ? size : options.quick() ? SMALL_SIZE : SIZE;
        try {
            return ByteSize.parse(text).bytes();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--size " + text + ": " + e.getMessage(), e);
        }
    }

    private void measure(NvmfBenchmark benchmark, MeasuredFile measured) throws IOException {
        ResultLines lines = new ResultLines(invocation, options.file());
        List<Result> results;
        try (ResultProgress progress =
                new ResultProgress(
                        invocation, benchmark.count(), lines, (all, configuration) -> all)) {
            results = benchmark.run(measured, overwrite, progress);
        }
        if (!lines.areOutput()) {
            new Report(results).print(invocation.out());
        }
    }

    private void say(String step) {
        invocation.console().err().println(step + " ...");
    }
}
