// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.client.Value;
import io.crail.error.NoSuchNodeException;
import io.crail.error.WrongNodeTypeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The bytes of a file or of a value, read from the start in pieces. Not thread-safe. */
final class Content implements AutoCloseable {
    /** Bytes moved at a time: a block. */
    static final int BUFFER = 1 << 20;

    private final Optional<CrailFile> file;
    private final Optional<CrailInputStream> stream;
    private final ByteBuffer value;
    private final long length;

    private Content(CrailFile file) {
        this.file = Optional.of(file);
        this.stream = Optional.of(file.newInputStream());
        this.value = ByteBuffer.allocate(0);
        this.length = file.length();
    }

    private Content(Value value) {
        this.file = Optional.empty();
        this.stream = Optional.empty();
        this.value = value.bytes().duplicate();
        this.length = this.value.remaining();
    }

    static Content open(CrailClient client, String path) throws IOException {
        try {
            return new Content(client.open(path));
        } catch (WrongNodeTypeException e) {
            return new Content(value(client, path, e));
        }
    }

    /** The value at {@code TABLE/KEY}; the first error if there is none. */
    private static Value value(CrailClient client, String path, WrongNodeTypeException error)
            throws IOException {
        String key = CrailPath.name(path);
        if (key.isEmpty()) {
            throw error;
        }
        try {
            return client.table(CrailPath.parent(path))
                    .get(key.getBytes(StandardCharsets.UTF_8))
                    .orElseThrow(() -> error);
        } catch (WrongNodeTypeException | NoSuchNodeException e) {
            error.addSuppressed(e);
            throw error;
        }
    }

    long length() {
        return length;
    }

    /** Reads up to the remaining bytes of the target; -1 at the end. */
    int read(ByteBuffer target) throws IOException {
        if (stream.isPresent()) {
            return stream.get().read(target);
        }
        if (!value.hasRemaining()) {
            return -1;
        }
        int bytes = Math.min(value.remaining(), target.remaining());
        target.put(value.slice(value.position(), bytes));
        value.position(value.position() + bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        if (stream.isPresent()) {
            stream.get().close();
        }
        file.ifPresent(CrailFile::close);
    }
}
