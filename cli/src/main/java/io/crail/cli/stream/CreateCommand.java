// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CreateOptions;
import io.crail.client.StreamOptions;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.DurationText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "create",
        description = {
            "Makes streams; 'crail fs rm' removes them.",
            "When a limit is exceeded the oldest records go."
        },
        footer = {
            "",
            "Examples:",
            "  crail stream create /events",
            "  crail stream create -p --max-bytes '1 GiB' --max-age '10 min' /jobs/7/events"
        })
final class CreateCommand extends Command {
    @Option(
            names = {"-p", "--parents"},
            description = "Makes missing parents; an existing stream is no error.")
    private boolean parents;

    @Option(names = "--max-bytes", paramLabel = "SIZE", description = "Keeps so many bytes.")
    private @Nullable String maxBytes;

    @Option(names = "--max-records", paramLabel = "N", description = "Keeps so many records.")
    private long maxRecords;

    @Option(names = "--max-age", paramLabel = "TIME", description = "Keeps records for so long.")
    private @Nullable String maxAge;

    @Parameters(paramLabel = "STREAM", arity = "1..*", description = "Streams to make.")
    private List<String> paths = new ArrayList<>();

    CreateCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        StreamOptions options =
                options()
                        .withMaxRecords(maxRecords)
                        .withCreate(parents ? CreateOptions.PARENTS : CreateOptions.DEFAULT);
        invocation.client();
        for (String path : paths) {
            invocation.attempt(
                    "create " + path,
                    () -> invocation.client().createStream(path, options).close());
        }
    }

    private StreamOptions options() throws InvalidArgumentException {
        StreamOptions options = StreamOptions.DEFAULT;
        try {
            if (maxBytes != null) {
                options = options.withMaxBytes(ByteSize.parse(maxBytes).bytes());
            }
            if (maxAge != null) {
                options = options.withMaxAge(DurationText.parse(maxAge));
            }
            return options;
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("limit of a stream: " + e.getMessage(), e);
        }
    }
}
