// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.load.DataBenchmark;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Benchmarks of the bytes of files. */
@CommandLine.Command(
        name = "data",
        description = {
            "Measures sequential and random reads and writes of one thread in every combination of"
                    + " the options: gigabytes in a second, beside copies in memory or raw streams"
                    + " on this machine, and how long each call takes.",
            "Without --namenode it starts a cluster on this machine and stops it; with it,"
                    + " everything happens in a directory of that cluster which is removed"
                    + " afterwards. See docs/benchmarks.md."
        },
        footer = {
            "",
            "Examples:",
            "  crail bench data",
            "  crail bench data --sizes 4KiB,1MiB --depth 1,4,16,32",
            "  crail bench data --operations seq-read --transport shm --checksums on,off",
            "  crail bench data --sizes 4KiB --depth 1 --setting one-core,two-core",
            "  crail bench data --namenode HOST:PORT --file-size 1GiB"
        })
final class DataCommand extends Command {
    private static final String FILE = "256MiB";
    private static final String SMALL_FILE = "16MiB";

    @Mixin private final LoadOptions load = new LoadOptions();

    @Option(
            names = "--operations",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Only these of: seq-read, seq-write, random-read, random-write. Default: all.")
    private List<String> operations = List.of();

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            split = ",",
            description = "Ways to go, each by itself: shm, tcp. Default: both.")
    private List<String> transports = List.of();

    @Option(
            names = "--sizes",
            paramLabel = "SIZE",
            split = ",",
            defaultValue = "4KiB,64KiB,1MiB",
            description = "Bytes of a read or write. Default: ${DEFAULT-VALUE}")
    private List<String> sizes = List.of();

    @Option(
            names = "--depth",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,16",
            description =
                    "Reads or writes under way; 1 = blocking calls. Default: ${DEFAULT-VALUE}")
    private List<Integer> depths = List.of();

    @Option(
            names = "--checksums",
            paramLabel = "on|off",
            split = ",",
            defaultValue = "on",
            description =
                    "Whether files keep checksums; on,off measures both. Default: ${DEFAULT-VALUE}")
    private List<String> checksums = List.of();

    @Option(
            names = "--file-size",
            paramLabel = "SIZE",
            description = "Size of the file. Default: 256MiB, with --quick 16MiB")
    private @Nullable String fileSize;

    DataCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        String size = fileSize != null ? fileSize : load.quick() ? SMALL_FILE : FILE;
        DataBenchmark.Wishes wishes =
                new DataBenchmark.Wishes(
                        operations, transports, sizes, depths, checksums, size, load.settings);
        new LoadRun(invocation, new DataBenchmark(wishes), load).run();
    }
}
