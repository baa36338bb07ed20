// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.load.Pace;
import io.crail.error.InvalidArgumentException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of all general benchmarks. */
final class LoadOptions {
    private static final double SECONDS = 1.5;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description =
                    "File that gets the results as JSON, an object a line, besides the table.")
    @Nullable Path file;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Time for each row, limit and crail together. Default: 1.5")
    private @Nullable Double seconds;

    @Option(
            names = "--quick",
            description =
                    "Few and short batches on little data: shows that it works, and figures of"
                            + " little worth.")
    boolean quick;

    @Option(
            names = "--setting",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "free",
            description =
                    "Cores of client and servers, each by itself: free = wherever the scheduler puts"
                            + " them, one-core = all on one, two-core = the client on one, servers"
                            + " on another. Default: ${DEFAULT-VALUE}")
    List<String> settings = List.of();

    /** How long a row takes. */
    Pace pace() throws InvalidArgumentException {
        if (seconds != null) {
            return Pace.of(seconds);
        }
        return quick ? Pace.QUICK : Pace.of(SECONDS);
    }
}
