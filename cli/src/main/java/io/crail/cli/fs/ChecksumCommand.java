// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.JsonArray;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "checksum",
        description = "Reads files and prints their checksums.",
        footer = {
            "",
            "Examples:",
            "  crail fs checksum /data/part-1",
            "  crail fs checksum --stored /data/part-1",
            "  crail fs checksum --algorithm sha256 /data/part-1 | sha256sum -c"
        })
final class ChecksumCommand extends Command {
    @Option(
            names = {"-a", "--algorithm"},
            paramLabel = "NAME",
            defaultValue = "crc32c",
            description = "crc32c, sha256 or md5. Default: ${DEFAULT-VALUE}")
    private String algorithm = "";

    @Option(
            names = "--stored",
            description = {
                "Put crc32c together from the checksums that the writer stored, a thousandth",
                "of the bytes, which are not read: whether they still match is not checked."
            })
    private boolean stored;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Files.")
    private List<String> paths = new ArrayList<>();

    ChecksumCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        ContentHash.of(algorithm);
        if (stored && !algorithm.equals("crc32c")) {
            throw new InvalidArgumentException(
                    "--stored: no checksums of algorithm "
                            + algorithm
                            + " are stored, only crc32c");
        }
        invocation.client();
        if (!invocation.json()) {
            paths.forEach(path -> invocation.attempt("checksum " + path, () -> one(path, null)));
            return;
        }
        try (JsonArray array = new JsonArray(invocation.out())) {
            paths.forEach(path -> invocation.attempt("checksum " + path, () -> one(path, array)));
        }
    }

    private void one(String path, @Nullable JsonArray array) throws IOException {
        if (stored) {
            try (CrailFile file = invocation.client().open(path)) {
                String value = String.format("%08x", file.checksum(file.length()));
                tell(path, value, file.length(), array);
            }
        } else {
            read(path, array);
        }
    }

    private void read(String path, @Nullable JsonArray array) throws IOException {
        CrailClient client = invocation.client();
        ContentHash hash = ContentHash.of(algorithm);
        long length = 0;
        try (Content content = Content.open(client, path)) {
            ByteBuffer buffer = TransferBuffer.take(Content.BUFFER);
            while (content.read(buffer) >= 0) {
                length += buffer.flip().remaining();
                hash.update(buffer);
                buffer.clear();
            }
        }
        tell(path, hash.value(), length, array);
    }

    private void tell(String path, String value, long length, @Nullable JsonArray array)
            throws IOException {
        if (array != null) {
            array.add(
                    Json.object(
                            "path", path,
                            "algorithm", algorithm,
                            "checksum", value,
                            "length", length));
        } else {
            invocation.out().println(value + "  " + path);
        }
    }
}
