// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.golden;

import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * A vector as a later version of crail might send it: elements of lists, records and the message
 * itself have some bytes more than this version knows.
 */
public final class NewerVersion {
    private static final byte[] APPENDED = {(byte) 0xEE, 1, (byte) 0xFF, 0};

    private final List<GoldenField> fields;
    private int next;

    private NewerVersion(List<GoldenField> fields) {
        this.fields = fields;
    }

    public static byte[] of(GoldenVector vector) {
        NewerVersion newer = new NewerVersion(vector.fields());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        newer.below("", out);
        out.writeBytes(APPENDED);
        return out.toByteArray();
    }

    /** Writes the fields from the next one on, as long as their names begin with {@code prefix}. */
    private void below(String prefix, ByteArrayOutputStream out) {
        while (next < fields.size() && fields.get(next).name().startsWith(prefix)) {
            GoldenField field = fields.get(next++);
            switch (field.type()) {
                case "list" -> list(field, out);
                case "record" -> record(field, out);
                default -> out.writeBytes(field.bytes());
            }
        }
    }

    private void list(GoldenField list, ByteArrayOutputStream out) {
        String[] words = list.value().split(" of ", -1);
        int count = Integer.parseInt(words[0]);
        out.writeBytes(WireValue.little(count, 2));
        out.writeBytes(WireValue.little(Integer.parseInt(words[1]) + APPENDED.length, 2));
        for (int i = 0; i < count; i++) {
            below(list.name() + "[" + i + "]", out);
            out.writeBytes(APPENDED);
        }
    }

    private void record(GoldenField record, ByteArrayOutputStream out) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        below(record.name() + ".", content);
        content.writeBytes(APPENDED);
        out.writeBytes(WireValue.little(content.size(), 2));
        out.writeBytes(content.toByteArray());
    }
}
