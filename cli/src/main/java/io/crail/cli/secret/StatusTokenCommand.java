// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.secret;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.config.SecurityKeys;
import java.io.IOException;
import picocli.CommandLine;

/** Prints the token for the status pages. */
@CommandLine.Command(
        name = "status-token",
        description =
                "Prints the token that opens the status of servers that do not listen on loopback.",
        footer = {
            "",
            "Derived from the secret of security.secret-file, which cannot be found out from it.",
            "Whoever has it can read metrics and nothing else. Example:",
            "  curl -H \"Authorization: Bearer $(crail secret status-token)\" http://nn:9070/metrics"
        })
final class StatusTokenCommand extends Command {
    StatusTokenCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        String token =
                AuthenticationConfig.of(invocation.configuration())
                        .forCaller()
                        .statusToken()
                        .orElseThrow(
                                () ->
                                        new InvalidArgumentException(
                                                "there is no secret; set "
                                                        + SecurityKeys.SECRET_FILE.name()));
        invocation.out().println(token);
    }
}
