// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.spark.SparkEffort;
import io.crail.bench.spark.SparkRows;
import io.crail.bench.spark.SparkSizes;
import io.crail.cli.bench.SparkRun;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The main job on real input, from nothing to a table of measurements. */
@CommandLine.Command(
        name = "quickstart",
        description = {
            "Starts a cluster on this machine and uses it: copies a directory tree and a generated"
                    + " file in, looks at the file in place, puts and gets keys, writes a multifile"
                    + " by three processes, reads a stream while another process appends, writes more"
                    + " than memory holds, so that the rest goes to a flash tier on disk, and kills"
                    + " a storage server and starts it again. Compares everything that it reads"
                    + " with what was written, and prints what it measured beside the machine's"
                    + " own limits. Stops everything in the end.",
            "With --spark it runs GroupBy and TeraSort of Spark instead, with the shuffles in crail"
                    + " and as Spark is shipped, compares the results, and prints the times. The"
                    + " first call fetches Spark's jars with Maven."
        },
        footer = {
            "",
            "Examples:",
            "  crail quickstart",
            "  crail quickstart --size 4GiB --tree ~/src",
            "  crail quickstart --keep",
            "  crail quickstart --spark"
        })
public final class QuickstartCommand extends Command {
    private static final int MAX_KEYS = 10_000_000;
    private static final String SIZE = "1GiB";
    private static final String KEYS = "5000";
    private static final List<String> SPARK_ROWS = List.of("groupby", "terasort");

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = SIZE,
            description = "Size of the generated file. Default: ${DEFAULT-VALUE}")
    private String size = "";

    @Option(
            names = "--tree",
            paramLabel = "DIR",
            description = "Directory to copy. Default: the source tree of crail.")
    private @Nullable Path tree;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = KEYS,
            description = "Keys to put and get. Default: ${DEFAULT-VALUE}")
    private int keys;

    @Option(names = "--keep", description = "Leaves the cluster running and tells how to use it.")
    private boolean keep;

    @Option(
            names = "--spark",
            description = "Shows jobs of Spark whose shuffles are in crail; goes without others.")
    private boolean spark;

    public QuickstartCommand(Invocation invocation) {
        super(invocation);
    }

    /** Commands that a run gives to further processes, by their names. */
    public static Map<String, Function<Invocation, Command>> parts() {
        return Map.of(
                WriteMembersCommand.NAME, WriteMembersCommand::new,
                AppendRecordsCommand.NAME, AppendRecordsCommand::new);
    }

    @Override
    protected void run() throws IOException {
        if (keys < 1 || keys > MAX_KEYS) {
            throw new InvalidArgumentException(
                    "--keys " + keys + ": must be within 1.." + MAX_KEYS);
        }
        invocation.configuration();
        if (spark) {
            runSpark();
            return;
        }
        SourceTree source = SourceTree.of(directory());
        new Quickstart(invocation, source, wanted(), keys, keep).run();
    }

    private void runSpark() throws IOException {
        boolean others =
                keep || tree != null || !size.equals(SIZE) || !Integer.toString(keys).equals(KEYS);
        if (others) {
            throw new InvalidArgumentException("--spark: goes without other options");
        }
        int processors = Runtime.getRuntime().availableProcessors();
        SparkRows rows =
                new SparkRows(SPARK_ROWS, SparkSizes.laptop(processors), SparkEffort.LAPTOP);
        new SparkRun(invocation).show(rows, null);
    }

    private ByteSize wanted() throws InvalidArgumentException {
        try {
            ByteSize wanted = ByteSize.parse(size);
            if (wanted.bytes() > 0) {
                return wanted;
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--size: " + e.getMessage(), e);
        }
        throw new InvalidArgumentException("--size " + size + ": must be 1 byte at least");
    }

    private Path directory() throws IOException {
        Path directory =
                tree != null ? tree : Path.of(System.getProperty(Invocation.HOME_PROPERTY, "."));
        if (!Files.isDirectory(directory)) {
            throw new NotDirectoryException(directory.toString());
        }
        return directory;
    }
}
