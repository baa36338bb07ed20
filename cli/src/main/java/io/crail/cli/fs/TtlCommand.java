// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Lifetimes;
import io.crail.cli.terminal.Json;
import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "ttl",
        description = "Shows or sets how long a node has to live.",
        footer = {
            "",
            "When its time is over a node goes, with everything below it. Examples:",
            "  crail fs ttl /data/tmp",
            "  crail fs ttl /data/tmp 10min",
            "  crail fs ttl /data/tmp none"
        })
final class TtlCommand extends Command {
    @Parameters(index = "0", paramLabel = "PATH", description = "A file, directory or table.")
    private String path = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TIME",
            description = "Time to live from now, such as 90s or 2h; none = without an end.")
    private @Nullable String time;

    TtlCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Duration lifetime = Lifetimes.parse("TIME", time);
        CrailClient client = invocation.client();
        NodeStatus status =
                time == null
                        ? client.status(path)
                        : client.setAttributes(path, AttributeChange.NONE.lifetime(lifetime));
        long left = status.remainingMillis();
        if (invocation.json()) {
            invocation.printJson(
                    Json.object("path", path, "remainingMillis", left < 0 ? null : left));
        } else if (time == null) {
            invocation.out().println(left < 0 ? Lifetimes.NONE : Lifetimes.format(left));
        }
    }
}
