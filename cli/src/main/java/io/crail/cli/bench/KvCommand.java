// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.load.KvBenchmark;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Benchmarks of keys and values. */
@CommandLine.Command(
        name = "kv",
        description = {
            "Measures puts and gets of values, one by one and several by one call, in every"
                    + " combination of the options: how many calls in a second, beside raw round"
                    + " trips with as many bytes on this machine, and how long each takes.",
            "Without --namenode it starts a cluster on this machine and stops it; with it,"
                    + " everything happens in a directory of that cluster which is removed"
                    + " afterwards. See docs/benchmarks.md."
        },
        footer = {
            "",
            "Examples:",
            "  crail bench kv",
            "  crail bench kv --sizes 100B,10KiB --threads 1,2,4",
            "  crail bench kv --operations get,multi-get --values 32 --transport tcp",
            "  crail bench kv --threads 1 --setting one-core,two-core",
            "  crail bench kv --namenode HOST:PORT"
        })
final class KvCommand extends Command {
    @Mixin private final LoadOptions load = new LoadOptions();

    @Option(
            names = "--operations",
            paramLabel = "NAME",
            split = ",",
            description = "Only these of: put, get, multi-put, multi-get. Default: all.")
    private List<String> operations = List.of();

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            split = ",",
            description = "Ways to go, each by itself: unix, tcp. Default: both.")
    private List<String> transports = List.of();

    @Option(
            names = "--sizes",
            paramLabel = "SIZE",
            split = ",",
            defaultValue = "100B,1KiB,100KiB",
            description = "Bytes of a value. Default: ${DEFAULT-VALUE}")
    private List<String> sizes = List.of();

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,4",
            description = "Threads that share the client. Default: ${DEFAULT-VALUE}")
    private List<Integer> threads = List.of();

    @Option(
            names = "--values",
            paramLabel = "N",
            defaultValue = "16",
            description = "Values of a multi-put or multi-get. Default: ${DEFAULT-VALUE}")
    private int values;

    KvCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        KvBenchmark.Wishes wishes =
                new KvBenchmark.Wishes(
                        operations, transports, sizes, threads, values, load.settings);
        new LoadRun(invocation, new KvBenchmark(wishes), load).run();
    }
}
