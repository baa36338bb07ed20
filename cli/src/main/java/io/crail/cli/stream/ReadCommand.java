// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailStream;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "read",
        description = {
            "Prints records, a line each, up to the last one there is.",
            "With --json an object a line, with the text, or else hexadecimal bytes."
        },
        footer = {
            "",
            "Examples:",
            "  crail stream read /events",
            "  crail stream read --from 1000 -n 10 --offsets /events"
        })
final class ReadCommand extends Command {
    private static final int BATCH = 4096;

    @Option(
            names = "--from",
            paramLabel = "OFFSET",
            description = "First record. Default: the first that is still there")
    private @Nullable Long from;

    @Option(
            names = {"-n", "--records"},
            paramLabel = "N",
            description = "Prints at most so many.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--offsets", description = "Prints the offset and a tab before each record.")
    private boolean offsets;

    @Option(names = "--raw", description = "Prints no line ends.")
    private boolean raw;

    @Parameters(paramLabel = "STREAM", arity = "1", description = "Path of the stream.")
    private String path = "";

    ReadCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        RecordPrinter printer = new RecordPrinter(invocation, offsets, raw);
        Long start = from;
        try (CrailStream stream = invocation.client().stream(path);
                StreamReader reader =
                        start == null ? stream.readerFromEarliest() : stream.reader(start)) {
            long left = Math.max(0, limit);
            while (left > 0) {
                List<StreamRecord> records =
                        reader.poll((int) Math.min(BATCH, left), Duration.ZERO);
                if (records.isEmpty()) {
                    break;
                }
                printer.print(records);
                left -= records.size();
            }
        }
    }
}
