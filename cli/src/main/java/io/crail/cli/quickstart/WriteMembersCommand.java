// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailMultiFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One of several processes that write a multifile together; see {@link MultiFileStep}. */
@CommandLine.Command(name = WriteMembersCommand.NAME, hidden = true)
public final class WriteMembersCommand extends Command {
    public static final String NAME = "write-members";

    /** Bytes of a member; a smaller share of a round is one member. */
    static final long MEMBER = 8L << 20;

    @Option(names = "--writer", required = true)
    private int writer;

    @Option(names = "--bytes", required = true)
    private long bytes;

    @Option(names = "--rounds", required = true)
    private int rounds;

    @Parameters(arity = "1")
    private String path = "";

    public WriteMembersCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CrailMultiFile multiFile = invocation.client().multiFile(path);
        GeneratedFile content = content(writer, rounds * bytes);
        multiFile.status();
        Rounds.serve(invocation.console(), round -> write(multiFile, content, round));
    }

    /** What a writer writes in all rounds, one after another. */
    static GeneratedFile content(int writer, long length) {
        return new GeneratedFile(length, writer + 1);
    }

    private void write(CrailMultiFile multiFile, GeneratedFile content, int round)
            throws IOException {
        long begin = round * bytes;
        for (long from = begin; from < begin + bytes; from += MEMBER) {
            long end = Math.min(from + MEMBER, begin + bytes);
            CreateOptions options = CreateOptions.builder().expectedBytes(end - from).build();
            try (CrailOutputStream out = multiFile.add(name(round, from - begin), options)) {
                for (long position = from; position < end; position += GeneratedFile.BLOCK) {
                    out.append(content.block(position));
                }
            }
        }
    }

    /** The order of the names is that of rounds, then writers, then positions. */
    private String name(int round, long position) {
        return String.format(
                Locale.ROOT, "round-%02d-writer-%02d-part-%05d", round, writer, position / MEMBER);
    }
}
