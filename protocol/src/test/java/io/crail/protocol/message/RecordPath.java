// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.protocol.golden.WireValue;
import io.crail.protocol.node.NodeType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** Finds the value at a path such as {@code extents[0].block.server} in a record, as wire text. */
final class RecordPath {
    private RecordPath() {}

    static Object value(Object root, String path) {
        Object at = root;
        for (String step : path.split("\\.", -1)) {
            int bracket = step.indexOf('[');
            at = component(at, bracket < 0 ? step : step.substring(0, bracket));
            if (bracket >= 0) {
                at = ((List<?>) at).get(Integer.parseInt(step, bracket + 1, step.length() - 1, 10));
            }
        }
        return at;
    }

    /** The bytes that the value must have on the wire if its type is {@code type}. */
    static byte[] wire(String type, Object value) {
        return WireValue.encode(type, text(type, value));
    }

    private static String text(String type, Object value) {
        if (value instanceof List<?> list) {
            return list.size() + "";
        } else if (value instanceof NodeType node) {
            return node.wire() + "";
        } else if (value instanceof String string) {
            return quote(string.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof byte[] bytes) {
            return type.startsWith("raw") ? HexFormat.of().formatHex(bytes) : quote(bytes);
        } else if (value instanceof long[] longs) {
            return Arrays.toString(longs).replace(" ", "");
        } else if (value instanceof int[] ints) {
            return Arrays.toString(ints).replace(" ", "");
        } else if (value instanceof UUID || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        throw new AssertionError("a component of " + value.getClass());
    }

    private static String quote(byte[] bytes) {
        StringBuilder text = new StringBuilder("\"");
        for (byte b : bytes) {
            text.append("\\x").append(HexFormat.of().toHexDigits(b));
        }
        return text.append('"').toString();
    }

    private static Object component(Object record, String name) {
        try {
            var accessor = record.getClass().getMethod(name);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(record.getClass() + " has no component " + name, e);
        }
    }
}
