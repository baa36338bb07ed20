// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file of the benchmarks.
 *
 * @param path where it lies
 * @param checksums whether it keeps checksums
 */
record BenchFile(String path, boolean checksums) {
    static final int BUFFER = 1 << 20;

    /** Opens it for writing, empty. */
    CrailOutputStream create(CrailClient client, long length) throws IOException {
        CreateOptions.Builder options = CreateOptions.builder().overwrite(true);
        // As shipped unless the row is about files without checksums.
        if (!checksums) {
            options.checksums(false);
        }
        return client.createFile(path, options.expectedBytes(length).build());
    }

    /** Writes it from the first to the last byte. */
    void fill(CrailClient client, long length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        while (buffer.hasRemaining()) {
            buffer.put((byte) buffer.position());
        }
        try (CrailOutputStream out = create(client, length)) {
            for (long done = 0; done < length; done += BUFFER) {
                out.append(buffer.clear());
            }
        }
    }

    void remove(CrailClient client) throws IOException {
        client.delete(path, false);
    }

    static ByteBuffer[] buffers(int count, int length) {
        ByteBuffer[] buffers = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            buffers[i] = ByteBuffer.allocateDirect(length);
        }
        return buffers;
    }
}
