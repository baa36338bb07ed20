// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailFile;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "tail",
        description = "Prints the end of a file.",
        footer = {
            "",
            "Examples:",
            "  crail fs tail -n 100 /logs/a",
            "  crail fs tail -c 4KiB /logs/a",
            "  crail fs tail -f /logs/a"
        })
final class TailCommand extends Command {
    private static final int CHUNK = 64 << 10;
    private static final Duration WAIT = Duration.ofSeconds(1);

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "LINES",
            description = "Lines to print. Default: 10")
    private long lines = 10;

    @Option(
            names = {"-c", "--bytes"},
            paramLabel = "SIZE",
            description = "Bytes to print instead of lines.")
    private @Nullable String bytes;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on with what is appended until the writer closes the file.")
    private boolean follow;

    @Parameters(paramLabel = "PATH", arity = "1", description = "A file.")
    private String path = "";

    TailCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        if (lines < 0) {
            throw new InvalidArgumentException("-n " + lines + ": must not be negative");
        }
        long wanted = bytes == null ? -1 : parse(bytes);
        try (CrailFile file = invocation.client().open(path)) {
            long end = file.length();
            long start = bytes == null ? startOfLines(file, end) : Math.max(0, end - wanted);
            print(file, start, end);
            while (follow && file.status().has(NodeStatus.OPEN_FOR_WRITING)) {
                NodeStatus status = file.awaitLength(end, WAIT);
                print(file, end, status.length());
                end = status.length();
            }
        }
    }

    private static long parse(String bytes) throws InvalidArgumentException {
        try {
            return ByteSize.parse(bytes).bytes();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("-c " + bytes + ": " + e.getMessage(), e);
        }
    }

    /** Searches backwards for the line end in front of the lines wanted. */
    private long startOfLines(CrailFile file, long end) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        // A line end at the very end ends the last line and begins none.
        long missing = lines;
        for (long chunkEnd = end; chunkEnd > 0 && missing > 0; ) {
            long chunkStart = Math.max(0, chunkEnd - CHUNK);
            file.readFully(chunkStart, buffer.clear().limit((int) (chunkEnd - chunkStart)));
            for (int i = buffer.position() - 1; i >= 0; i--) {
                boolean last = chunkStart + i == end - 1;
                if (buffer.get(i) == '\n' && !last && --missing == 0) {
                    return chunkStart + i + 1;
                }
            }
            chunkEnd = chunkStart;
        }
        return lines == 0 ? end : 0;
    }

    private void print(CrailFile file, long start, long end) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK);
        for (long position = start; position < end; ) {
            int length = (int) Math.min(CHUNK, end - position);
            file.readFully(position, buffer.clear().limit(length));
            invocation.out().write(buffer.array(), 0, length);
            position += length;
        }
        invocation.out().flush();
    }
}
