// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.directory;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Makes directories that only this user may enter: who can open a segment file has all of it. */
public final class PrivateDirectory {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /**
     * Makes the directory and its parents if need be, mode 0700; an existing one gets that mode.
     *
     * @throws AccessDeniedException if it is a link, no directory, or belongs to another user: in a
     *     place where everybody may write, somebody else may have been first
     */
    public static void make(Path path) throws CrailException {
        try {
            boolean made = Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
            if (made) {
                Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
            Object owner = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || !owner.equals(userId())) {
                throw new AccessDeniedException(
                        path
                                + " is not a directory of this user ("
                                + userId()
                                + "); name another one");
            }
            if (!made) {
                Files.setPosixFilePermissions(path, OWNER_ONLY);
            }
        } catch (CrailException e) {
            throw e;
        } catch (IOException e) {
            throw new InternalException("cannot make the directory " + path + ": " + e, e);
        }
    }

    /** The uid of this process: the owner of its entry in /proc. */
    public static Object userId() throws CrailException {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new InternalException("cannot tell the user of this process: " + e, e);
        }
    }
}
