// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of benchmarks that consist of rows with names. */
final class RowOptions {
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

    /** What gets the results besides the terminal. */
    @Nullable Path file() {
        return run.file;
    }
}
