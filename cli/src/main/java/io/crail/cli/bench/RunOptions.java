// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of every benchmark. */
final class RunOptions {
    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description =
                    "File that gets the results as JSON, an object a line, each when it is there,"
                            + " besides the table.")
    @Nullable Path file;

    @Option(
            names = "--quick",
            description =
                    "Few and short batches on little data: shows that it works, and figures of"
                            + " little worth.")
    boolean quick;
}
