// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.error.AccessDeniedException;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.protocol.local.Ownership;
import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The directory of a server's Unix socket: mode 0700, with the cookie by which clients recognise it
 * ({@link LocalEndpoint}), and room for the socket, which the acceptor makes. It is {@value #NAME}
 * in a directory that the caller has locked; where the path would be too long for the address of a
 * socket, {@value #NAME} is a symbolic link to a short temporary directory. Immutable.
 */
public final class UnixSocket implements Closeable {
    private static final String NAME = "local";
    private static final FileAttribute<?> OWNER_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path announced;
    private final Path directory;
    private final byte[] cookie;

    private UnixSocket(Path announced, Path directory, byte[] cookie) {
        this.announced = announced;
        this.directory = directory;
        this.cookie = cookie;
    }

    /**
     * Makes the directory, new. What an earlier server left is removed.
     *
     * @param home existing directory, which this server alone uses
     * @throws IOException saying why there can be no socket; nothing is left then
     */
    public static UnixSocket in(Path home, SecureRandom random) throws IOException {
        Path announced = home.toRealPath().resolve(NAME);
        removeLeftovers(announced);
        byte[] cookie = new byte[LocalEndpoint.COOKIE_BYTES];
        random.nextBytes(cookie);
        UnixSocket socket = new UnixSocket(announced, make(announced), cookie);
        try {
            Files.write(
                    socket.directory.resolve(LocalEndpoint.COOKIE),
                    cookie,
                    StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            removeLeftovers(announced);
            throw e;
        }
        return socket;
    }

    private static Path make(Path announced) throws IOException {
        if (fits(announced)) {
            return Files.createDirectory(announced, OWNER_DIRECTORY);
        }
        Path directory = Files.createTempDirectory("crail-", OWNER_DIRECTORY).toRealPath();
        try {
            if (!fits(directory)) {
                throw new IOException(
                        "a socket in "
                                + announced
                                + " or "
                                + directory
                                + " would have a path longer than "
                                + LocalEndpoint.MAX_SOCKET_PATH
                                + " bytes");
            }
            return Files.readSymbolicLink(Files.createSymbolicLink(announced, directory));
        } catch (IOException e) {
            Files.delete(directory);
            throw e;
        }
    }

    private static boolean fits(Path directory) {
        String path = directory.resolve(LocalEndpoint.SOCKET).toString();
        return path.getBytes(StandardCharsets.UTF_8).length <= LocalEndpoint.MAX_SOCKET_PATH;
    }

    /** Where to listen. */
    UnixDomainSocketAddress address() {
        return UnixDomainSocketAddress.of(directory.resolve(LocalEndpoint.SOCKET));
    }

    /** What clients of this host are told. */
    LocalEndpoint endpoint() {
        return new LocalEndpoint(directory.toString(), cookie);
    }

    /** Removes the directory, unless it is another server's by now. */
    @Override
    public void close() throws IOException {
        try {
            byte[] current = Files.readAllBytes(directory.resolve(LocalEndpoint.COOKIE));
            if (Arrays.equals(current, cookie)) {
                removeLeftovers(announced);
            }
        } catch (NoSuchFileException e) {
            // Somebody has removed it; what is there now is not known to be ours.
        }
    }

    private static void removeLeftovers(Path announced) throws IOException {
        if (Files.isSymbolicLink(announced)) {
            Path target = announced.resolveSibling(Files.readSymbolicLink(announced));
            if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
                removeDirectory(target);
            }
            Files.delete(announced);
        } else if (Files.exists(announced, LinkOption.NOFOLLOW_LINKS)) {
            removeDirectory(announced);
        }
    }

    private static void removeDirectory(Path directory) throws IOException {
        if (!Ownership.of(directory).isOwn()) {
            throw new AccessDeniedException(directory + " belongs to another user; remove it");
        }
        Files.deleteIfExists(directory.resolve(LocalEndpoint.SOCKET));
        Files.deleteIfExists(directory.resolve(LocalEndpoint.COOKIE));
        Files.delete(directory);
    }

    /** Path of the socket. */
    @Override
    public String toString() {
        return address().toString();
    }
}
