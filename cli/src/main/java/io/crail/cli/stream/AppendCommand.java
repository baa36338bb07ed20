// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.client.CrailFuture;
import io.crail.client.CrailStream;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "append",
        description = {
            "Appends records: the lines of standard input, or of a file.",
            "A record is a line without its end. Ends when all are acknowledged."
        },
        footer = {
            "",
            "Examples:",
            "  date | crail stream append /events",
            "  crail stream append --file samples.bin --record-bytes '64 KiB' /samples"
        })
final class AppendCommand extends Command {
    @Option(names = "--file", paramLabel = "FILE", description = "Takes the records from a file.")
    private @Nullable Path file;

    @Option(
            names = "--record-bytes",
            paramLabel = "SIZE",
            description = "Cuts the input into records of this size instead of lines.")
    private @Nullable String recordBytes;

    @Parameters(paramLabel = "STREAM", arity = "1", description = "Path of the stream.")
    private String path = "";

    AppendCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        int size = recordBytes == null ? 0 : parse(recordBytes);
        long records = 0;
        CrailFuture<Long> last = null;
        Path source = file;
        try (CrailStream stream = invocation.client().stream(path);
                InputStream in =
                        new BufferedInputStream(
                                source == null
                                        ? invocation.console().in()
                                        : Files.newInputStream(source))) {
            byte[] record = next(in, size);
            while (record != null) {
                // A failure of an earlier one shows when the stream is flushed.
                last = stream.appendAsync(ByteBuffer.wrap(record));
                records++;
                record = next(in, size);
            }
            stream.flush();
        }
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "stream",
                            path,
                            "records",
                            records,
                            "last",
                            last == null ? null : last.join()));
        }
    }

    private static int parse(String size) throws InvalidArgumentException {
        try {
            long bytes = ByteSize.parse(size).bytes();
            if (bytes > 0 && bytes <= CrailStream.MAX_RECORD) {
                return (int) bytes;
            }
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--record-bytes " + size + ": " + e.getMessage(), e);
        }
        throw new InvalidArgumentException(
                "--record-bytes " + size + ": a record has 1 B to 64 MiB here");
    }

    /** The next record; null at the end. */
    private static byte @Nullable [] next(InputStream in, int size) throws IOException {
        if (size > 0) {
            byte[] record = in.readNBytes(size);
            return record.length == 0 ? null : record;
        }
        java.io.ByteArrayOutputStream line = new java.io.ByteArrayOutputStream();
        int value = in.read();
        if (value < 0) {
            return null;
        }
        while (value >= 0 && value != '\n') {
            if (line.size() == CrailStream.MAX_RECORD) {
                throw new InvalidArgumentException(
                        "a line has more than 64 MiB; --record-bytes cuts input into pieces");
            }
            line.write(value);
            value = in.read();
        }
        return line.toByteArray();
    }
}
