// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.PathHandle;

/**
 * What a file is opened by again, in another process if need be.
 *
 * <pre>
 * 0 i32 magic     4 u8 flags: 1 = the content may have changed     5 i64 node     13 i64 version
 * 21 path, UTF-8
 * </pre>
 *
 * @param path plain path
 * @param node the file
 * @param version of its content
 * @param mayChange whether another content will do
 */
public record CrailPathHandle(String path, long node, long version, boolean mayChange)
        implements PathHandle {
    private static final long serialVersionUID = 1L;
    private static final int MAGIC = 0x63724831;
    private static final int FIXED = 21;

    /**
     * A handle for what somebody has seen.
     *
     * @throws UnsupportedOperationException if it shall find the file under another name
     */
    public static CrailPathHandle of(CrailFileStatus seen, String path, HandleOpt... options) {
        Optional<HandleOpt.Location> location = HandleOpt.getOpt(HandleOpt.Location.class, options);
        if (location.isPresent() && location.get().allowChange()) {
            throw new UnsupportedOperationException(
                    "crail opens files by name: a handle does not follow a file that is moved");
        }
        boolean mayChange =
                HandleOpt.getOpt(HandleOpt.Data.class, options)
                        .map(HandleOpt.Data::allowChange)
                        .orElse(false);
        return new CrailPathHandle(path, seen.node(), seen.version(), mayChange);
    }

    /**
     * Reads one.
     *
     * @throws InvalidPathHandleException if the bytes are none of ours
     */
    public static CrailPathHandle of(PathHandle handle) throws IOException {
        if (handle instanceof CrailPathHandle ours) {
            return ours;
        }
        ByteBuffer bytes = handle.bytes().duplicate();
        try {
            if (bytes.getInt() != MAGIC) {
                throw new InvalidPathHandleException("not a path handle of crail");
            }
            boolean mayChange = (bytes.get() & 1) != 0;
            long node = bytes.getLong();
            long version = bytes.getLong();
            return new CrailPathHandle(
                    StandardCharsets.UTF_8.decode(bytes).toString(), node, version, mayChange);
        } catch (BufferUnderflowException e) {
            throw new InvalidPathHandleException("not a path handle of crail: too short", e);
        }
    }

    @Override
    public ByteBuffer bytes() {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED + name.length)
                .putInt(MAGIC)
                .put((byte) (mayChange ? 1 : 0))
                .putLong(node)
                .putLong(version)
                .put(name)
                .flip()
                .asReadOnlyBuffer();
    }
}
