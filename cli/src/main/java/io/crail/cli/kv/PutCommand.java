// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Lifetimes;
import io.crail.cli.terminal.Json;
import io.crail.client.CrailTable;
import io.crail.client.PutOptions;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "put",
        description = "Puts a value.",
        footer = {
            "",
            "Examples:",
            "  crail kv put /settings colour blue",
            "  crail kv put /models latest --file model.bin",
            "  date | crail kv put /settings started -",
            "  crail kv put --if-absent --ttl 30s /locks job-7 $HOSTNAME"
        })
final class PutCommand extends Command {
    /** A value is held in memory as a whole. */
    private static final int MAX_VALUE = 1 << 30;

    @Option(names = "--hex", description = "The key is hexadecimal.")
    private boolean hex;

    @Option(names = "--file", paramLabel = "FILE", description = "Takes the value from a file.")
    private @Nullable Path file;

    @Option(names = "--if-absent", description = "Puts only if the key has no value.")
    private boolean ifAbsent;

    @Option(
            names = "--if-version",
            paramLabel = "N",
            description = "Puts only if the key's value has that version.")
    private @Nullable Long ifVersion;

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            description = "Time after which the value goes, such as 30s.")
    private @Nullable String ttl;

    @Parameters(index = "0", paramLabel = "TABLE", description = "Path of the table.")
    private String table = "";

    @Parameters(index = "1", paramLabel = "KEY", description = "The key.")
    private String key = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "VALUE",
            description = "The value, or - for standard input.")
    private @Nullable String value;

    PutCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        byte[] keyBytes = Keys.parse(key, hex);
        PutOptions options = options();
        ByteBuffer bytes = value();
        CrailTable target = invocation.client().table(table);
        long version = target.put(keyBytes, bytes, options);
        if (invocation.json()) {
            invocation.printJson(Json.object("table", table, "key", key, "version", version));
        }
    }

    private PutOptions options() throws InvalidArgumentException {
        if (ifAbsent && ifVersion != null) {
            throw new InvalidArgumentException("--if-absent and --if-version exclude each other");
        }
        PutOptions options = ifAbsent ? PutOptions.IF_ABSENT : PutOptions.DEFAULT;
        if (ifVersion != null) {
            options = PutOptions.ifVersion(ifVersion);
        }
        return options.withLifetime(Lifetimes.parse("--ttl", ttl));
    }

    private ByteBuffer value() throws IOException {
        if ((file == null) == (value == null)) {
            throw new InvalidArgumentException(
                    "name a value: an argument, - for standard input, or --file");
        }
        if (file != null) {
            if (Files.size(file) > MAX_VALUE) {
                throw tooLarge();
            }
            return ByteBuffer.wrap(Files.readAllBytes(file));
        }
        if (!"-".equals(value)) {
            return ByteBuffer.wrap(String.valueOf(value).getBytes(StandardCharsets.UTF_8));
        }
        byte[] input = invocation.console().in().readNBytes(MAX_VALUE + 1);
        if (input.length > MAX_VALUE) {
            throw tooLarge();
        }
        return ByteBuffer.wrap(input);
    }

    private static InvalidArgumentException tooLarge() {
        return new InvalidArgumentException(
                "the value is larger than 1 GiB; 'crail fs put' stores files of any size");
    }
}
