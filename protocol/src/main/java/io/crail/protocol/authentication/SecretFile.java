// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NodeExistsException;
import io.crail.protocol.config.SecurityKeys;
import io.crail.protocol.local.Ownership;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;

/**
 * The file that holds the secret: one line, base64url (RFC 4648, section 5) with or without
 * padding. Who can read the file can enter, so it must belong to the user of the process and be
 * closed to all others.
 */
public final class SecretFile {
    private static final int MAX_FILE = 1024;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNER_DIRECTORY =
            PosixFilePermissions.fromString("rwx------");

    private SecretFile() {}

    /**
     * Reads a secret.
     *
     * @throws AccessDeniedException if the file belongs to another user, or others may read it
     * @throws InvalidArgumentException if there is no such file, or it holds no secret
     */
    public static Secret read(Path file) throws CrailException {
        try {
            Path real = file.toRealPath();
            check(file, Ownership.of(real));
            return parse(file, real);
        } catch (NoSuchFileException e) {
            throw new InvalidArgumentException(
                    name(file)
                            + " does not exist; copy it from a server of the cluster, or make one"
                            + " for all of it with 'crail secret create "
                            + file
                            + "'",
                    e);
        } catch (java.nio.file.AccessDeniedException e) {
            throw new AccessDeniedException(
                    name(file) + " cannot be read by this user; give it to the user", e);
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new InternalException(name(file) + " cannot be read: " + e, e);
        }
    }

    /**
     * Makes a file with a new secret of {@value Secret#MIN_BYTES} random bytes, mode 0600, and the
     * directories above it, mode 0700, where they are missing.
     *
     * @throws NodeExistsException if the file exists: other programs may use its secret
     */
    public static void create(Path file, SecureRandom random) throws CrailException {
        byte[] bytes = new byte[Secret.MIN_BYTES];
        random.nextBytes(bytes);
        byte[] line =
                (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "\n")
                        .getBytes(StandardCharsets.US_ASCII);
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null && !Files.isDirectory(directory)) {
                Files.createDirectories(
                        directory, PosixFilePermissions.asFileAttribute(OWNER_DIRECTORY));
            }
            write(file, line);
        } catch (FileAlreadyExistsException e) {
            throw new NodeExistsException(
                    file
                            + " exists, and a secret is never overwritten, because others may use"
                            + " it: name another file, or remove this one first",
                    e);
        } catch (IOException e) {
            throw new InternalException("cannot make " + file + ": " + e, e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
            Arrays.fill(line, (byte) 0);
        }
    }

    private static void write(Path file, byte[] line) throws IOException {
        boolean complete = false;
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
            try {
                ByteBuffer left = ByteBuffer.wrap(line);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                channel.force(true);
                complete = true;
            } finally {
                if (!complete) {
                    Files.delete(file); // Half a secret would be taken for one later.
                }
            }
        }
    }

    private static void check(Path file, Ownership real) throws AccessDeniedException {
        if (!real.isOwn()) {
            throw new AccessDeniedException(
                    name(file)
                            + " belongs to user "
                            + real.owner()
                            + ", this process to "
                            + real.self()
                            + "; chown the file, or use a copy of your own");
        }
        if (!real.isPrivate()) {
            throw new AccessDeniedException(
                    name(file)
                            + " has mode "
                            + PosixFilePermissions.toString(real.mode())
                            + ", so others could read or change it; 'chmod 600 "
                            + file
                            + "', and make a new secret if they may have");
        }
    }

    private static Secret parse(Path file, Path real) throws IOException {
        byte[] content;
        try (InputStream in = Files.newInputStream(real)) {
            content = in.readNBytes(MAX_FILE + 1);
        }
        byte[] bytes = {};
        try {
            if (content.length > MAX_FILE) {
                throw new IllegalArgumentException("more than " + MAX_FILE + " bytes");
            }
            String line = new String(content, StandardCharsets.US_ASCII).strip();
            bytes = Base64.getUrlDecoder().decode(line);
            return new Secret(bytes);
        } catch (IllegalArgumentException e) {
            // The cause is left out: the decoder's message quotes what it read.
            throw new InvalidArgumentException(
                    name(file)
                            + " holds no secret: a line of base64url that stands for "
                            + Secret.MIN_BYTES
                            + " to "
                            + Secret.MAX_BYTES
                            + " bytes is expected; 'crail secret create' makes one");
        } finally {
            Arrays.fill(content, (byte) 0);
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static String name(Path file) {
        return "the secret file " + file + " (" + SecurityKeys.SECRET_FILE.name() + ")";
    }
}
