// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.AttributeChange;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "chmod",
        description = "Sets permission bits.",
        footer = {
            "",
            "They count if the namenode enforces them (namenode.permissions). Examples:",
            "  crail fs chmod 750 /team",
            "  crail fs chmod 1777 /tmp"
        })
final class ChmodCommand extends Command {
    private static final int OCTAL = 8;
    private static final int ALL_BITS = 07777;

    @Parameters(index = "0", paramLabel = "MODE", description = "Octal digits, 0 .. 7777.")
    private String mode = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "PATH",
            description = "What to change.")
    private List<String> paths = new ArrayList<>();

    ChmodCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        AttributeChange change = AttributeChange.NONE.mode(bits());
        invocation.client();
        for (String path : paths) {
            invocation.attempt(
                    "chmod " + path, () -> invocation.client().setAttributes(path, change));
        }
    }

    private int bits() throws InvalidArgumentException {
        try {
            int bits = Integer.parseInt(mode, OCTAL);
            if (bits >= 0 && bits <= ALL_BITS) {
                return bits;
            }
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException("mode '" + mode + "' is not octal, such as 750", e);
        }
        throw new InvalidArgumentException("mode " + mode + " is outside 0..7777");
    }
}
