// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Whose a file is, and who else may come to it.
 *
 * @param owner user of the file
 * @param self user of this process
 * @param mode rights of the file
 */
public record Ownership(Object owner, Object self, Set<PosixFilePermission> mode) {
    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_WRITE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_WRITE,
                    PosixFilePermission.OTHERS_EXECUTE);

    /** Of a file or directory; a link is not followed. May block. */
    public static Ownership of(Path file) throws IOException {
        Set<PosixFilePermission> mode =
                Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
        Path process = Path.of("/proc/self");
        if (Files.exists(process)) {
            return new Ownership(
                    Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS),
                    Files.getAttribute(process, "unix:uid"),
                    mode);
        }
        return new Ownership(
                Files.getOwner(file, LinkOption.NOFOLLOW_LINKS),
                file.getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(System.getProperty("user.name")),
                mode);
    }

    /** Whether it belongs to the user of this process. */
    public boolean isOwn() {
        return owner.equals(self);
    }

    /** Whether none but its owner may do anything with it. */
    public boolean isPrivate() {
        return mode.stream().noneMatch(OTHERS::contains);
    }
}
