// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.client.StreamRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Prints records: their bytes and a line end, or an object a line as JSON. */
final class RecordPrinter {
    private final Invocation invocation;
    private final boolean offsets;
    private final boolean raw;

    /**
     * @param offsets whether the offset stands in front of each record
     * @param raw whether the line ends are left out
     */
    RecordPrinter(Invocation invocation, boolean offsets, boolean raw) {
        this.invocation = invocation;
        this.offsets = offsets;
        this.raw = raw;
    }

    void print(List<StreamRecord> records) throws IOException {
        OutputStream out = invocation.out();
        for (StreamRecord record : records) {
            if (invocation.json()) {
                invocation.printJson(json(record));
                continue;
            }
            if (offsets) {
                out.write((record.offset() + "\t").getBytes(StandardCharsets.US_ASCII));
            }
            out.write(record.toArray());
            if (!raw) {
                out.write('\n');
            }
        }
        invocation.out().flush();
    }

    /** Text where the bytes are text. */
    private static Object json(StreamRecord record) {
        byte[] bytes = record.toArray();
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return Json.object("offset", record.offset(), "text", text);
        } catch (CharacterCodingException e) {
            return Json.object("offset", record.offset(), "hex", HexFormat.of().formatHex(bytes));
        }
    }
}
