// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Lifetimes;
import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            description = "Time after which the files go, counted from now, such as 10min.")
    private @Nullable String ttl;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to touch.")
    private List<String> paths = new ArrayList<>();

    TouchCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Duration lifetime = Lifetimes.parse("--ttl", ttl);
        invocation.client();
        for (String path : paths) {
            invocation.attempt("touch " + path, () -> touch(path, lifetime));
        }
    }

    private void touch(String path, Duration lifetime) throws IOException {
        CrailClient client = invocation.client();
        AttributeChange now = AttributeChange.NONE.modified(Instant.now());
        if (!lifetime.isZero()) {
            now = now.lifetime(lifetime);
        }
        try {
            client.setAttributes(path, now);
        } catch (NoSuchNodeException missing) {
            if (noCreate) {
                return;
            }
            try {
                client.createFile(path, CreateOptions.builder().lifetime(lifetime).build()).close();
            } catch (NodeExistsException raced) {
                client.setAttributes(path, now);
            }
        }
    }
}
