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
        description =
                "Prints the version of crail, its protocol and Java; so does crail --version.",
        footer = {"", "Example:", "  crail version --json"})
final class VersionCommand extends Command {
    VersionCommand(Invocation invocation) {
        super(invocation);
    }

    /** What {@code crail --version} prints. */
    static final class Text implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "crail "
                        + crail()
                        + " (protocol "
                        + ProtocolLimits.VERSION
                        + ", Java "
                        + java()
                        + ")"
            };
        }
    }

    @Override
    protected void run() {
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "version", crail(),
                            "protocol", ProtocolLimits.VERSION,
                            "java", java()));
        } else {
            for (String line : new Text().getVersion()) {
                invocation.out().println(line);
            }
        }
    }

    private static String crail() {
        return Optional.ofNullable(VersionCommand.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    private static String java() {
        return System.getProperty("java.version", "unknown");
    }
}
