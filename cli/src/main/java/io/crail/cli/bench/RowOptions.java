// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.error.InvalidArgumentException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of benchmarks that consist of rows with names. */
final class RowOptions {
    private static final int MOST = 1000;

    @Mixin private final RunOptions run = new RunOptions();

    @Option(
            names = "--rows",
            paramLabel = "ROW",
            split = ",",
            description = "Only these rows. Default: all.")
    private List<String> rows = List.of();

    /** Names of the rows that are wanted; all if there is none. */
    List<String> rows() {
        return rows;
    }

    boolean quick() {
        return run.quick;
    }

    /**
     * A number that an option asked for.
     *
     * @throws InvalidArgumentException if it is not within 1..1000
     */
    static int check(String option, int value) throws InvalidArgumentException {
        if (value < 1 || value > MOST) {
            throw new InvalidArgumentException(
                    option + " " + value + ": must be within 1.." + MOST);
        }
        return value;
    }

    /** What gets the results besides the terminal. */
    @Nullable Path file() {
        return run.file;
    }
}
