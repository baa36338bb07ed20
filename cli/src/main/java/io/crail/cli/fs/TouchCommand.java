// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "touch",
        description = "Sets the time of modification to now; makes empty files.",
        footer = {"", "Example:", "  crail fs touch /data/_SUCCESS"})
final class TouchCommand extends Command {
    @Option(
            names = {"-c", "--no-create"},
            description = "Makes no files.")
    private boolean noCreate;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to touch.")
    private List<String> paths = new ArrayList<>();

    TouchCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        for (String path : paths) {
            invocation.attempt("touch " + path, () -> touch(path));
        }
    }

    private void touch(String path) throws IOException {
        CrailClient client = invocation.client();
        AttributeChange now = AttributeChange.NONE.modified(Instant.now());
        try {
            client.setAttributes(path, now);
        } catch (NoSuchNodeException missing) {
            if (noCreate) {
                return;
            }
            try {
                client.createFile(path).close();
            } catch (NodeExistsException raced) {
                client.setAttributes(path, now);
            }
        }
    }
}
