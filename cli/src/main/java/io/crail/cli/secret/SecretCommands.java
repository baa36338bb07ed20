// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.secret;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code crail secret} and the names of its commands. */
@CommandLine.Command(
        name = "secret",
        synopsisSubcommandLabel = "COMMAND",
        description = "Makes the secret that servers and clients of a cluster share.",
        footer = {"", "Example:", "  crail secret create /etc/crail/secret"})
public final class SecretCommands {
    private SecretCommands() {}

    /** The group, whose class carries its help. */
    public static SecretCommands group() {
        return new SecretCommands();
    }

    /** Makers of the commands by name, in the order of the help. */
    public static Map<String, Function<Invocation, Command>> all() {
        Map<String, Function<Invocation, Command>> all = new LinkedHashMap<>();
        all.put("create", CreateCommand::new);
        all.put("status-token", StatusTokenCommand::new);
        return all;
    }
}
