// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** For the completion script, which calls it at each press of the key. */
@CommandLine.Command(
        name = "complete-path",
        hidden = true,
        description = "Prints the paths that begin so, a line each, those that hold others with /.",
        footer = {"", "Example:", "  crail fs complete-path /data/pa --timeout 1s"})
final class CompletePathCommand extends Command {
    /** More than anybody reads. */
    private static final int MOST_RESULTS = 256;

    @Parameters(paramLabel = "PREFIX", arity = "1", description = "How the paths begin.")
    private String prefix = "";

    CompletePathCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        int slash = prefix.lastIndexOf('/');
        if (slash < 0) {
            return;
        }
        String directory = prefix.substring(0, Math.max(slash, 1));
        String begin = prefix.substring(slash + 1);
        CrailIterator<DirectoryEntry> entries = invocation.client().list(directory);
        int results = 0;
        while (results < MOST_RESULTS && entries.hasNext()) {
            DirectoryEntry entry = entries.next();
            // A name with a line end cannot be a line; nobody could tell it from two.
            if (entry.name().startsWith(begin) && entry.name().indexOf('\n') < 0) {
                String path = CrailPath.join(directory, entry.name());
                boolean more = Attributes.hasNames(entry.status());
                invocation.out().print(path + (more ? "/" : "") + "\n");
                results++;
            }
        }
    }
}
