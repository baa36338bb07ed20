// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes that go on after a short one until everything is written. */
final class WholeWrites {
    private WholeWrites() {}

    /**
     * Writes all of {@code source}.
     *
     * @throws IOException naming file, offset and the system's reason; part may be written then
     */
    static void write(MetadataFile file, ByteBuffer source, long position) throws IOException {
        long at = position;
        try {
            while (source.hasRemaining()) {
                int written = file.write(source, at);
                if (written <= 0) {
                    throw new IOException("wrote nothing");
                }
                at += written;
            }
        } catch (IOException e) {
            throw new IOException(
                    file.path()
                            + ": write at offset "
                            + at
                            + " failed with "
                            + source.remaining()
                            + " bytes left: "
                            + reason(e),
                    e);
        }
    }

    /** The system's words, or the class where it has none. */
    static String reason(IOException e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }
}
