// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.local;

import io.crail.error.AccessDeniedException;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket of a server, for callers of the same user on the same host. It is {@value #SOCKET}
 * in a directory of mode 0700, beside a file {@value #COOKIE} that says whose directory it is.
 * Immutable; the cookie is not changed after construction.
 *
 * <p>The cookie is no secret: the server tells it to everybody on its host. It is a proof in the
 * other direction. A name may mean something else to a caller that sees other files (another host
 * behind a tunnel, a container), or be told by somebody who is not the server. But nobody except
 * the caller's own user can have put these bytes into a directory that belongs to this user and is
 * closed to all others.
 *
 * @param directory absolute path; empty: there is none
 * @param cookie random bytes, new in each life of the server
 */
public record LocalEndpoint(String directory, byte[] cookie) {
    /** No socket, or none for this caller. */
    public static final LocalEndpoint NONE = new LocalEndpoint("", new byte[0]);

    /** Name of the socket in the directory. */
    public static final String SOCKET = "rpc.sock";

    /** Name of the file that holds the cookie. */
    public static final String COOKIE = "cookie";

    public static final int COOKIE_BYTES = 32;

    /** Bytes of a path in sockaddr_un, without the NUL at its end. */
    public static final int MAX_SOCKET_PATH = 107;

    public boolean isPresent() {
        return !directory.isEmpty();
    }

    /**
     * The socket, if the directory is this user's, closed to others, and holds the cookie. May
     * block, as any access to files.
     *
     * @throws IOException saying what is missing; then the network is the way
     */
    public Path find() throws IOException {
        Path real = path().toRealPath();
        Ownership ownership = Ownership.of(real);
        if (!Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)
                || !ownership.isOwn()
                || !ownership.isPrivate()) {
            throw new AccessDeniedException(
                    real + " is not a directory of this user alone: the server is another user's");
        }
        Path file = real.resolve(COOKIE);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new AccessDeniedException(file + " is no file");
        }
        if (!MessageDigest.isEqual(cookie, read(file))) {
            throw new AccessDeniedException(file + " is another server's, or of another life");
        }
        return real.resolve(SOCKET);
    }

    private Path path() throws InvalidArgumentException {
        try {
            Path path = Path.of(directory);
            if (path.isAbsolute() && cookie.length == COOKIE_BYTES) {
                return path;
            }
        } catch (InvalidPathException e) {
            throw new InvalidArgumentException("the directory has no name here", e);
        }
        throw new InvalidArgumentException(
                "a directory '" + directory + "' with a cookie of " + cookie.length + " bytes");
    }

    private static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(COOKIE_BYTES + 1);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LocalEndpoint that
                && directory.equals(that.directory)
                && Arrays.equals(cookie, that.cookie);
    }

    @Override
    public int hashCode() {
        return directory.hashCode() + 31 * Arrays.hashCode(cookie);
    }

    @Override
    public String toString() {
        return directory;
    }
}
