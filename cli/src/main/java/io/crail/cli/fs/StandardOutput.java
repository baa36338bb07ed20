// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.client.CrailClient;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;

/** Copies content to standard output. */
final class StandardOutput {
    private StandardOutput() {}

    static void copy(CrailClient client, String path, PrintStream out) throws IOException {
        try (Content content = Content.open(client, path)) {
            byte[] array = new byte[content.pieceBytes()];
            ByteBuffer buffer = ByteBuffer.wrap(array);
            for (int bytes = content.read(buffer); bytes >= 0; bytes = content.read(buffer)) {
                out.write(array, 0, bytes);
                buffer.clear();
            }
        }
    }
}
