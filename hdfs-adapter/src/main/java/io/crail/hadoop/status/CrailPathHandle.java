// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.PathHandle;

/**
 * What a file is opened by again, in another process if need be.
 *
 * <pre>
 * 0 i32 magic     4 u8 flags: 1 = the content may have changed, 2 = it may have been moved
 * 5 i64 node     13 i64 version     21 path, UTF-8
 * </pre>
 *
 * @param path plain path; of a file that may have been moved, where it was
 * @param node the file
 * @param version of its content
 * @param mayChange whether another content will do
 * @param mayMove whether it will do at another path
 */
public record CrailPathHandle(
        String path, long node, long version, boolean mayChange, boolean mayMove)
        implements PathHandle {
    private static final long serialVersionUID = 1L;
    private static final int MAGIC = 0x63724831;
    private static final int FIXED = 21;
    private static final int MAY_CHANGE = 1;
    private static final int MAY_MOVE = 2;

    /** A handle for what somebody has seen; without options for that and nothing else. */
    public static CrailPathHandle of(CrailFileStatus seen, String path, HandleOpt... options) {
        boolean mayMove =
                HandleOpt.getOpt(HandleOpt.Location.class, options)
                        .map(HandleOpt.Location::allowChange)
                        .orElse(false);
        boolean mayChange =
                HandleOpt.getOpt(HandleOpt.Data.class, options)
                        .map(HandleOpt.Data::allowChange)
                        .orElse(false);
        return new CrailPathHandle(path, seen.node(), seen.version(), mayChange, mayMove);
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
            int flags = bytes.get();
            long node = bytes.getLong();
            long version = bytes.getLong();
            return new CrailPathHandle(
                    StandardCharsets.UTF_8.decode(bytes).toString(),
                    node,
                    version,
                    (flags & MAY_CHANGE) != 0,
                    (flags & MAY_MOVE) != 0);
        } catch (BufferUnderflowException e) {
            throw new InvalidPathHandleException("not a path handle of crail: too short", e);
        }
    }

    /**
     * Opens the file.
     *
     * @throws InvalidPathHandleException if it is not the same any more in what the handle demands,
     *     or cannot be opened
     */
    public CrailFile open(CrailClient client) throws IOException {
        CrailFile file;
        try {
            file = mayMove ? client.open(node) : client.open(path);
        } catch (CrailException e) {
            throw new InvalidPathHandleException(
                    path + " cannot be opened any more: " + e.getMessage(), e);
        }
        if (node != file.status().id() || (!mayChange && version != file.status().version())) {
            file.close();
            throw new InvalidPathHandleException(
                    path + " is not the file any more, or has other content");
        }
        return file;
    }

    @Override
    public ByteBuffer bytes() {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED + name.length)
                .putInt(MAGIC)
                .put((byte) ((mayChange ? MAY_CHANGE : 0) | (mayMove ? MAY_MOVE : 0)))
                .putLong(node)
                .putLong(version)
                .put(name)
                .flip()
                .asReadOnlyBuffer();
    }
}
