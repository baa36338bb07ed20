// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailTable;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "rm",
        description = "Removes keys.",
        footer = {
            "",
            "Examples:",
            "  crail kv rm /settings colour shape",
            "  crail kv rm --if-version 17 /locks job-7"
        })
final class RmCommand extends Command {
    @Option(names = "--hex", description = "The keys are hexadecimal.")
    private boolean hex;

    @Option(
            names = {"-f", "--force"},
            description = "A key that is not there is no error.")
    private boolean force;

    @Option(
            names = "--if-version",
            paramLabel = "N",
            description = "Removes only if the key's value has that version.")
    private @Nullable Long ifVersion;

    @Parameters(index = "0", paramLabel = "TABLE", description = "Path of the table.")
    private String table = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "KEY", description = "The keys.")
    private List<String> keys = new ArrayList<>();

    RmCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        if (ifVersion != null && keys.size() > 1) {
            throw new InvalidArgumentException("--if-version goes with one key");
        }
        CrailTable target = invocation.client().table(table);
        for (String key : keys) {
            invocation.attempt("rm " + table + " " + key, () -> remove(target, key));
        }
    }

    private void remove(CrailTable target, String key) throws IOException {
        byte[] bytes = Keys.parse(key, hex);
        boolean removed =
                ifVersion == null ? target.remove(bytes) : target.removeIfVersion(bytes, ifVersion);
        if (!removed && !force) {
            throw Keys.missing(table, key);
        }
    }
}
