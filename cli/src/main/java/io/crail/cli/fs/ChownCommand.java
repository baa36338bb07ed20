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
        name = "chown",
        description = "Sets owner, group, or both.",
        footer = {
            "",
            "Examples:",
            "  crail fs chown alice /home/alice",
            "  crail fs chown alice:staff /team",
            "  crail fs chown :staff /team"
        })
final class ChownCommand extends Command {
    @Parameters(index = "0", paramLabel = "[OWNER][:GROUP]", description = "Whom it belongs to.")
    private String whom = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "PATH",
            description = "What to change.")
    private List<String> paths = new ArrayList<>();

    ChownCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        AttributeChange change = change();
        invocation.client();
        for (String path : paths) {
            invocation.attempt(
                    "chown " + path, () -> invocation.client().setAttributes(path, change));
        }
    }

    private AttributeChange change() throws InvalidArgumentException {
        int colon = whom.indexOf(':');
        String owner = colon < 0 ? whom : whom.substring(0, colon);
        String group = colon < 0 ? "" : whom.substring(colon + 1);
        if (owner.isEmpty() && group.isEmpty()) {
            throw new InvalidArgumentException("name an owner, a :group, or owner:group");
        }
        AttributeChange change = AttributeChange.NONE;
        change = owner.isEmpty() ? change : change.owner(owner);
        return group.isEmpty() ? change : change.group(group);
    }
}
