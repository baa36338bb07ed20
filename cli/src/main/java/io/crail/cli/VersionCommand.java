// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.protocol.frame.ProtocolLimits;
import java.util.Optional;
import picocli.CommandLine;

@CommandLine.Command(
        name = "version",
        description = "Prints the version of crail, its protocol and Java.",
        footer = {"", "Example:", "  crail version --json"})
final class VersionCommand extends Command {
    VersionCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() {
        String version =
                Optional.ofNullable(VersionCommand.class.getPackage().getImplementationVersion())
                        .orElse("development");
        String java = System.getProperty("java.version", "unknown");
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "version", version,
                            "protocol", ProtocolLimits.VERSION,
                            "java", java));
        } else {
            invocation
                    .out()
                    .println(
                            "crail "
                                    + version
                                    + " (protocol "
                                    + ProtocolLimits.VERSION
                                    + ", Java "
                                    + java
                                    + ")");
        }
    }
}
