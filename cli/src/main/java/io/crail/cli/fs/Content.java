// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.error.WrongNodeTypeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The bytes of a file, or of all members of a multifile in order of their names, in large pieces.
 * Not thread-safe.
 *
 * @param stream over it
 * @param pieceBytes bytes worth reading at a time, at least 1
 * @param file what is open besides the stream, if anything
 */
record Content(CrailInputStream stream, int pieceBytes, Optional<CrailFile> file)
        implements AutoCloseable {
    /** Bytes moved at a time: a block. */
    static final int BUFFER = 1 << 20;

    static Content open(CrailClient client, String path) throws IOException {
        try {
            CrailFile file = client.open(path);
            int piece = (int) Math.max(1, Math.min(BUFFER, file.length()));
            return new Content(file.newInputStream(), piece, Optional.of(file));
        } catch (WrongNodeTypeException e) {
            if (!Attributes.isMultiFile(client.status(path))) {
                throw e;
            }
            return new Content(client.multiFile(path).openStream(), BUFFER, Optional.empty());
        }
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
            file.ifPresent(CrailFile::close);
        }
    }
}
