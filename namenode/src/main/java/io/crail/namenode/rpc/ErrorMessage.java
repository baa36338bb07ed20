// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import java.nio.charset.StandardCharsets;

/** The control part of an error reply: the message as one string, cut to the protocol's limit. */
final class ErrorMessage {
    private ErrorMessage() {}

    static void write(WireWriter writer, String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        writer.bytes(bytes, 0, cut(bytes, ProtocolLimits.MAX_ERROR_MESSAGE));
    }

    /** The largest length up to {@code max} that does not end inside a character. */
    private static int cut(byte[] utf8, int max) {
        if (utf8.length <= max) {
            return utf8.length;
        }
        int length = max;
        while (length > 0 && (utf8[length] & 0xC0) == 0x80) {
            length--;
        }
        return length;
    }
}
