// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.client.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "get",
        description = "Prints a value, byte for byte.",
        footer = {
            "",
            "With --json the value is text if it can be, else Base64. Examples:",
            "  crail kv get /settings colour",
            "  crail kv get /models latest --file model.bin",
            "  crail kv get --json /settings colour"
        })
final class GetCommand extends Command {
    @Option(names = "--hex", description = "The key is hexadecimal.")
    private boolean hex;

    @Option(names = "--file", paramLabel = "FILE", description = "Writes the value to a file.")
    private @Nullable Path file;

    @Parameters(index = "0", paramLabel = "TABLE", description = "Path of the table.")
    private String table = "";

    @Parameters(index = "1", paramLabel = "KEY", description = "The key.")
    private String key = "";

    GetCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        byte[] keyBytes = Keys.parse(key, hex);
        Value value =
                invocation
                        .client()
                        .table(table)
                        .get(keyBytes)
                        .orElseThrow(() -> Keys.missing(table, key));
        byte[] bytes = value.toByteArray();
        if (file != null) {
            Files.write(file, bytes);
        }
        if (invocation.json()) {
            invocation.printJson(json(value, bytes));
        } else if (file == null) {
            invocation.out().write(bytes, 0, bytes.length);
            if (invocation.console().outIsTerminal()) {
                invocation.out().println();
            }
        }
    }

    private Map<String, @Nullable Object> json(Value value, byte[] bytes) {
        Map<String, @Nullable Object> json =
                Json.object(
                        "table",
                        table,
                        "key",
                        key,
                        "version",
                        value.version(),
                        "modified",
                        Instant.ofEpochMilli(value.modifiedMillis()).toString(),
                        "length",
                        bytes.length);
        if (value.remainingMillis() >= 0) {
            json.put("remainingMillis", value.remainingMillis());
        }
        if (file == null && Keys.isText(bytes)) {
            json.put("value", new String(bytes, StandardCharsets.UTF_8));
        } else if (file == null) {
            json.put("base64", Base64.getEncoder().encodeToString(bytes));
        }
        return json;
    }
}
