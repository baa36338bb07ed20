// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Bytes written down by hand: hexadecimal pairs, and {@code *n} for n zeros. */
public final class Bytes {
    private Bytes() {}

    /** The bytes of a text such as {@code "04 00 48 *5"}. */
    public static ByteBuffer of(String text) {
        StringBuilder hex = new StringBuilder();
        for (String each : text.trim().split("\\s+", -1)) {
            if (each.startsWith("*")) {
                hex.append("00".repeat(Integer.parseInt(each.substring(1))));
            } else {
                hex.append(each);
            }
        }
        byte[] bytes = HexFormat.of().parseHex(hex);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** A buffer full of ones, so that a field that is not written shows. */
    public static ByteBuffer dirty(int size) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        for (int i = 0; i < size; i++) {
            buffer.put(i, (byte) 0xFF);
        }
        return buffer;
    }

    /** Asserts that a buffer begins with the bytes of a text. */
    public static void assertBytes(ByteBuffer buffer, int at, String expected) {
        ByteBuffer wanted = of(expected);
        byte[] got = new byte[wanted.remaining()];
        buffer.get(at, got);
        byte[] want = new byte[wanted.remaining()];
        wanted.get(0, want);
        assertThat(HexFormat.ofDelimiter(" ").formatHex(got))
                .isEqualTo(HexFormat.ofDelimiter(" ").formatHex(want));
    }
}
