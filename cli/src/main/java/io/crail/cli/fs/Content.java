// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of a file from start to end, in large pieces. Not thread-safe.
 *
 * @param file open for reading
 * @param stream over it
 */
record Content(CrailFile file, CrailInputStream stream) implements AutoCloseable {
    /** Bytes moved at a time: a block. */
    static final int BUFFER = 1 << 20;

    static Content open(CrailClient client, String path) throws IOException {
        CrailFile file = client.open(path);
        return new Content(file, file.newInputStream());
    }

    long length() {
        return file.length();
    }

    /** Reads up to the remaining bytes of the target; -1 at the end. */
    int read(ByteBuffer target) throws IOException {
        return stream.read(target);
    }

    @Override
    public void close() throws IOException {
        try {
            stream.close();
        } finally {
            file.close();
        }
    }
}
