// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.secret;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.SecretFile;
import io.crail.protocol.config.SecurityKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** Makes a secret. */
@CommandLine.Command(
        name = "create",
        description =
                "Writes a new secret, 32 random bytes, to a file that only its owner can read.",
        footer = {
            "",
            "Never overwrites a file. Copy the file to every server and client of the cluster,",
            "mode 0600, and set security.secret-file to it. Example:",
            "  crail secret create /etc/crail/secret"
        })
final class CreateCommand extends Command {
    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "The file; without it that of security.secret-file.")
    private @Nullable Path file;

    CreateCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Path target =
                file == null ? invocation.configuration().get(SecurityKeys.SECRET_FILE) : file;
        if (target.toString().isEmpty()) {
            throw new InvalidArgumentException(
                    "name a FILE, or set " + SecurityKeys.SECRET_FILE + " to it");
        }
        SecretFile.create(target, new SecureRandom());
        invocation.out().println("secret written to " + target);
    }
}
