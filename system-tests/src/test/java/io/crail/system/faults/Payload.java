// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Bytes that tests write and expect back. */
final class Payload {
    private Payload() {}

    static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static byte[] text(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    static void write(CrailClient client, String path, byte[] bytes) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(bytes);
        }
    }

    static byte[] read(CrailClient client, String path) throws IOException {
        try (CrailFile file = client.open(path)) {
            byte[] bytes = new byte[(int) file.length()];
            file.readFully(0, ByteBuffer.wrap(bytes));
            return bytes;
        }
    }
}
