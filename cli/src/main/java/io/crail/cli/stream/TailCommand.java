// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailStream;
import io.crail.client.StreamInfo;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "tail",
        description = "Prints the last records of a stream, a line each.",
        footer = {
            "",
            "Examples:",
            "  crail stream tail -n 100 /events",
            "  crail stream tail -f /events"
        })
final class TailCommand extends Command {
    private static final int BATCH = 4096;
    private static final Duration WAIT = Duration.ofSeconds(10);

    @Option(
            names = {"-n", "--records"},
            paramLabel = "N",
            description = "Records to print. Default: 10")
    private long count = 10;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on with what is appended.")
    private boolean follow;

    @Option(
            names = "--until",
            paramLabel = "OFFSET",
            description = "Ends before this record, which may be still to come. With -f")
    private long until = Long.MAX_VALUE;

    @Option(names = "--offsets", description = "Prints the offset and a tab before each record.")
    private boolean offsets;

    @Parameters(paramLabel = "STREAM", arity = "1", description = "Path of the stream.")
    private String path = "";

    TailCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        RecordPrinter printer = new RecordPrinter(invocation, offsets, false);
        try (CrailStream stream = invocation.client().stream(path)) {
            StreamInfo info = stream.info();
            long end = follow ? until : info.next();
            long start = Math.max(info.first(), info.next() - Math.max(0, count));
            try (StreamReader reader = stream.reader(start)) {
                while (reader.position() < end) {
                    int most = (int) Math.min(BATCH, end - reader.position());
                    List<StreamRecord> records = reader.poll(most, WAIT);
                    printer.print(records);
                }
            }
        }
    }
}
