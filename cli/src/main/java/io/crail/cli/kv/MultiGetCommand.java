// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.JsonArray;
import io.crail.client.GetResult;
import io.crail.client.Value;
import io.crail.error.CrailException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "mget",
        description = "Prints the values of many keys: a line KEY, tab, VALUE for each.",
        footer = {
            "",
            "A key without value is reported, and the others are printed. What is not text is"
                    + " printed in full only with --json, as Base64. Examples:",
            "  crail kv mget /settings colour shape",
            "  crail kv ls /settings | crail kv mget --json /settings -"
        })
final class MultiGetCommand extends Command {
    /** Keys asked for at a time: all their values are held in memory. */
    private static final int BATCH = 4096;

    @Option(names = "--hex", description = "Keys are hexadecimal.")
    private boolean hex;

    @Parameters(index = "0", paramLabel = "TABLE", description = "Path of the table.")
    private String table = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEY",
            description = "The keys; - for one per line of standard input.")
    private List<String> keys = new ArrayList<>();

    private @Nullable JsonArray array;

    MultiGetCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        if (!invocation.json()) {
            getAll();
            return;
        }
        try (JsonArray open = new JsonArray(invocation.out())) {
            array = open;
            getAll();
        }
    }

    private void getAll() throws IOException {
        if (!keys.equals(List.of("-"))) {
            get(keys);
            return;
        }
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(invocation.console().in(), StandardCharsets.UTF_8));
        List<String> batch = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            batch.add(line);
            if (batch.size() == BATCH) {
                get(batch);
                batch.clear();
            }
        }
        get(batch);
    }

    private void get(List<String> batch) throws IOException {
        List<byte[]> parsed = new ArrayList<>();
        for (String key : batch) {
            parsed.add(Keys.parse(key, hex));
        }
        List<GetResult> results = invocation.client().table(table).multiGet(parsed);
        for (int i = 0; i < results.size(); i++) {
            String key = batch.get(i);
            GetResult result = results.get(i);
            invocation.attempt("mget " + table + " " + key, () -> print(key, result));
        }
    }

    private void print(String key, GetResult result) throws CrailException {
        Optional<Value> value = result.value();
        if (value.isEmpty()) {
            throw Keys.missing(table, key);
        }
        byte[] bytes = value.get().toByteArray();
        if (array == null) {
            invocation.out().println(key + "\t" + new String(bytes, StandardCharsets.UTF_8));
            return;
        }
        Map<String, @Nullable Object> json =
                Json.object("key", key, "version", value.get().version());
        if (Keys.isText(bytes)) {
            json.put("value", new String(bytes, StandardCharsets.UTF_8));
        } else {
            json.put("base64", Base64.getEncoder().encodeToString(bytes));
        }
        array.add(json);
    }
}
