// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.config;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Origin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints every key, its value, its kind and its origin. */
@CommandLine.Command(
        name = "config",
        description = "Shows every key of the configuration, its value and where it comes from.",
        footer = {
            "",
            "Examples:",
            "  crail config",
            "  crail config namenode.",
            "  crail config --changed --json"
        })
public final class ConfigCommand extends Command {
    @Option(names = "--changed", description = "Shows only what is not at its default.")
    private boolean changed;

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            description = "Shows only keys that begin so.")
    private @Nullable String prefix;

    public ConfigCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        List<Configuration.Entry<?>> entries = new ArrayList<>();
        for (Configuration.Entry<?> entry : invocation.configuration().entries()) {
            boolean isDefault = entry.origin().kind() == Origin.Kind.DEFAULT;
            if ((prefix == null || entry.key().name().startsWith(prefix))
                    && !(changed && isDefault)) {
                entries.add(entry);
            }
        }
        if (invocation.json()) {
            invocation.printJson(entries.stream().map(ConfigCommand::json).toList());
        } else {
            table(entries).print(invocation.out());
        }
    }

    private Table table(List<Configuration.Entry<?>> entries) {
        Table table = Table.titled("KEY", "VALUE", "KIND", "ORIGIN");
        for (Configuration.Entry<?> entry : entries) {
            String origin = entry.origin().toString();
            boolean isDefault = entry.origin().kind() == Origin.Kind.DEFAULT;
            table.row(
                    entry.key().name(),
                    entry.text().isEmpty() ? "-" : entry.text(),
                    entry.key().type().name(),
                    invocation.console().paint(isDefault ? Colour.FAINT : Colour.GOOD, origin));
        }
        return table;
    }

    private static Object json(Configuration.Entry<?> entry) {
        return Json.object(
                "key", entry.key().name(),
                "value", entry.text(),
                "kind", entry.key().type().name(),
                "range", entry.key().type().range(),
                "default", entry.key().defaultText(),
                "origin", entry.origin().toString(),
                "environmentVariable", entry.key().environmentVariable());
    }
}
