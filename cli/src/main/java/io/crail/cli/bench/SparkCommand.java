// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.spark.SparkEffort;
import io.crail.bench.spark.SparkRows;
import io.crail.bench.spark.SparkSizes;
import io.crail.cli.cluster.MachineMemory;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Spark with crail beside Spark as it is shipped. */
@CommandLine.Command(
        name = "spark",
        description = {
            "Measures jobs of Spark whose shuffles and broadcasts are in crail beside Spark as it is"
                    + " shipped, on this machine: its local directory in shared memory, which is"
                    + " what crail is compared with, and on disk. Both applications have the"
                    + " same heaps, and their rounds alternate; the speedup is the median of the"
                    + " pairs, with its 90 percent bootstrap interval. Results that"
                    + " differ are an error. Row groupby_flash compares crail with memory for a"
                    + " fifth of the shuffle, and a file on disk for the rest, with crail that has"
                    + " all in memory. The first call fetches Spark's jars with Maven. See"
                    + " docs/spark.md."
        },
        footer = {
            "",
            "Examples:",
            "  crail bench spark",
            "  crail bench spark --json results.json",
            "  crail bench spark --rows groupby,smallblocks --pairs 20",
            "  crail bench spark --rows sqljoin --conf spark.shuffle.compress=true",
            "  crail bench spark --rows groupby_flash --flash-dir /data",
            "  crail bench spark --quick"
        })
final class SparkCommand extends Command {
    @Mixin private final RowOptions options = new RowOptions();

    @Option(
            names = "--part",
            paramLabel = "N",
            defaultValue = "1",
            description = "Take an Nth of the records, for a machine with less memory. Default: 1")
    private int part;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description =
                    "Pairs of rounds of each row, vanilla and crail. Default: 10, with --quick 3")
    private @Nullable Integer pairs;

    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description =
                    "A setting of Spark for both applications, once or more. Results to compare have"
                            + " none.")
    private Map<String, String> conf = new LinkedHashMap<>();

    @Option(
            names = "--flash-dir",
            paramLabel = "DIR",
            description =
                    "Directory on the disk that is measured, for the file of row groupby_flash."
                            + " Default: /var/tmp")
    private @Nullable Path flashDirectory;

    SparkCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        RowOptions.check("--part", part);
        int processors = Runtime.getRuntime().availableProcessors();
        SparkSizes sizes =
                options.quick()
                        ? SparkSizes.quick(processors)
                        : SparkSizes.full(processors, MachineMemory.availableNow(), part);
        SparkRows rows = new SparkRows(options.rows(), sizes, effort());
        new SparkRun(invocation, conf, flashDirectory).show(rows, options.file());
    }

    private SparkEffort effort() throws InvalidArgumentException {
        SparkEffort effort = options.quick() ? SparkEffort.QUICK : SparkEffort.FULL;
        if (pairs == null) {
            return effort;
        }
        return effort.withPairs(RowOptions.check("--pairs", pairs));
    }
}
