// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailFuture;
import io.crail.client.CrailStream;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The process that appends to a stream while it is read; see {@link StreamStep}. */
@CommandLine.Command(name = AppendRecordsCommand.NAME, hidden = true)
public final class AppendRecordsCommand extends Command {
    public static final String NAME = "append-records";

    @Option(names = "--first", required = true)
    private long first;

    @Option(names = "--records", required = true)
    private int records;

    /** Whether each record waits until the one before it is acknowledged. */
    @Option(names = "--singly")
    private boolean singly;

    @Parameters(arity = "1")
    private String path = "";

    public AppendRecordsCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        try (CrailStream stream = invocation.client().stream(path)) {
            Rounds.serve(
                    invocation.console(), round -> append(stream, first + (long) round * records));
        }
    }

    private void append(CrailStream stream, long from) throws IOException {
        for (long number = from; number < from + records; number++) {
            CrailFuture<Long> offset = stream.appendAsync(TimedRecord.of(number));
            if (singly) {
                offset.join();
            }
        }
        // A failure of any of them shows here.
        stream.flush();
    }
}
