// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.load.Pace;
import io.crail.error.InvalidArgumentException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of all general benchmarks. */
final class LoadOptions {
    private static final double SECONDS = 1.5;

    @Mixin private final RunOptions run = new RunOptions();

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Time for each row, limit and crail together. Default: 1.5")
    private @Nullable Double seconds;

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

    boolean quick() {
        return run.quick;
    }

    /** What gets the results besides the terminal. */
    @Nullable Path file() {
        return run.file;
    }

    /** How long a row takes. */
    Pace pace() throws InvalidArgumentException {
        if (seconds != null) {
            return Pace.of(seconds);
        }
        return run.quick ? Pace.QUICK : Pace.of(SECONDS);
    }
}
