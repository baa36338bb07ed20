// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.load.MetadataBenchmark;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Benchmarks of the namespace. */
@CommandLine.Command(
        name = "metadata",
        description = {
            "Measures lookups, creations, deletions and listings in every combination of the options:"
                    + " how many in a second, beside raw round trips on this machine, and how long"
                    + " each takes.",
            "Without --namenode it starts a cluster on this machine and stops it; with it,"
                    + " everything happens in a directory of that cluster which is removed"
                    + " afterwards. See docs/benchmarks.md."
        },
        footer = {
            "",
            "Examples:",
            "  crail bench metadata",
            "  crail bench metadata --threads 1,2,4 --processes 1,2 --depth 1",
            "  crail bench metadata --operations lookup,create --transport tcp --seconds 5",
            "  crail bench metadata --threads 1 --processes 1 --depth 1 --setting one-core,two-core",
            "  crail bench metadata --namenode HOST:PORT --entries 100000"
        })
final class MetadataCommand extends Command {
    private static final int ENTRIES = 4_000;
    private static final int FEW_ENTRIES = 400;

    @Mixin private final LoadOptions load = new LoadOptions();

    @Option(
            names = "--operations",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Only these of: lookup, create, delete, list-page, list-all. Default: all.")
    private List<String> operations = List.of();

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            split = ",",
            description = "Ways to go, each by itself: unix, tcp. Default: both.")
    private List<String> transports = List.of();

    @Option(
            names = "--processes",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2",
            description =
                    "Client processes, each with a client of its own. Default: ${DEFAULT-VALUE}")
    private List<Integer> processes = List.of();

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,4",
            description =
                    "Threads of each client process, sharing its client. Default: ${DEFAULT-VALUE}")
    private List<Integer> threads = List.of();

    @Option(
            names = "--depth",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,16",
            description =
                    "Operations under way of each thread; 1 = blocking calls. Default: ${DEFAULT-VALUE}")
    private List<Integer> depths = List.of();

    @Option(
            names = "--entries",
            paramLabel = "N",
            description =
                    "Entries of the directory that is looked up in and listed. Default: 4000, with --quick"
                            + " 400")
    private @Nullable Integer entries;

    @Option(
            names = "--page",
            paramLabel = "N",
            defaultValue = "100",
            description = "Entries of a page. Default: ${DEFAULT-VALUE}")
    private int page;

    @Option(
            names = "--path-depth",
            paramLabel = "N",
            defaultValue = "3",
            description = "Components of a path. Default: ${DEFAULT-VALUE}")
    private int pathDepth;

    MetadataCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        int count = entries != null ? entries : load.quick() ? FEW_ENTRIES : ENTRIES;
        MetadataBenchmark.Wishes wishes =
                new MetadataBenchmark.Wishes(
                        operations,
                        transports,
                        processes,
                        threads,
                        depths,
                        count,
                        page,
                        pathDepth,
                        load.settings);
        new LoadRun(invocation, new MetadataBenchmark(wishes), load).run();
    }
}
