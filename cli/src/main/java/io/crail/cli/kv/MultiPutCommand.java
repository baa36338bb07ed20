// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.JsonLine;
import io.crail.client.PutEntry;
import io.crail.client.PutOptions;
import io.crail.client.PutResult;
import io.crail.error.InvalidArgumentException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "mput",
        description = "Puts many values, from lines KEY, tab, VALUE of standard input.",
        footer = {
            "",
            "With --lines-json each line is an object with \"key\" and \"value\" or \"base64\", and"
                    + " perhaps \"ifAbsent\": true or \"ifVersion\": N.",
            "Each value is put, or refused, by itself; what was refused is reported. Examples:",
            "  printf 'colour\\tblue\\nshape\\tround\\n' | crail kv mput /settings",
            "  crail kv mput --lines-json /settings < settings.jsonl"
        })
final class MultiPutCommand extends Command {
    /** Entries put at a time. */
    private static final int BATCH = 4096;

    @Option(names = "--hex", description = "Keys are hexadecimal.")
    private boolean hex;

    @Option(names = "--lines-json", description = "Each line is a JSON object.")
    private boolean json;

    @Option(names = "--if-absent", description = "Puts only where the key has no value.")
    private boolean ifAbsent;

    @Parameters(index = "0", paramLabel = "TABLE", description = "Path of the table.")
    private String table = "";

    private long put;

    MultiPutCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(invocation.console().in(), StandardCharsets.UTF_8));
        List<PutEntry> batch = new ArrayList<>();
        long number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            batch.add(json ? object(line, number) : pair(line, number));
            if (batch.size() == BATCH) {
                put(batch);
                batch.clear();
            }
        }
        put(batch);
        if (invocation.json()) {
            invocation.printJson(Map.of("put", put));
        }
    }

    private void put(List<PutEntry> batch) throws IOException {
        List<PutResult> results = invocation.client().table(table).multiPut(batch);
        for (PutResult result : results) {
            if (result instanceof PutResult.Failed failed) {
                invocation.report("mput " + table, failed.cause());
            } else {
                put++;
            }
        }
    }

    private PutEntry pair(String line, long number) throws IOException {
        int tab = line.indexOf('\t');
        if (tab < 0) {
            throw new InvalidArgumentException("line " + number + " has no tab behind its key");
        }
        return entry(
                line.substring(0, tab),
                line.substring(tab + 1).getBytes(StandardCharsets.UTF_8),
                ifAbsent ? PutOptions.IF_ABSENT : PutOptions.DEFAULT);
    }

    private PutEntry entry(String key, byte[] value, PutOptions options) throws IOException {
        return new PutEntry(Keys.parse(key, hex), ByteBuffer.wrap(value), options);
    }

    private PutEntry object(String line, long number) throws IOException {
        Map<String, Object> object;
        try {
            object = JsonLine.parse(line);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("line " + number + ": " + e.getMessage(), e);
        }
        if (!(object.get("key") instanceof String key)) {
            throw new InvalidArgumentException("line " + number + " has no \"key\"");
        }
        byte[] value;
        if (object.get("value") instanceof String text) {
            value = text.getBytes(StandardCharsets.UTF_8);
        } else if (object.get("base64") instanceof String text) {
            value = base64(text, number);
        } else {
            throw new InvalidArgumentException(
                    "line " + number + " has neither \"value\" nor \"base64\"");
        }
        PutOptions options =
                object.get("ifVersion") instanceof Long version
                        ? PutOptions.ifVersion(version)
                        : ifAbsent || Boolean.TRUE.equals(object.get("ifAbsent"))
                                ? PutOptions.IF_ABSENT
                                : PutOptions.DEFAULT;
        return entry(key, value, options);
    }

    private static byte[] base64(String text, long number) throws InvalidArgumentException {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(
                    "line " + number + ": \"base64\": " + e.getMessage(), e);
        }
    }
}
