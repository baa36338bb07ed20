// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.serve;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether a file can be served, as far as its directory entry tells: so that mistakes are told as
 * such, and before anything is made.
 */
final class RequestedFile {
    private RequestedFile() {}

    /**
     * Checks it.
     *
     * @param bytes size, or 0 for the one that it has
     */
    static void check(Path file, long bytes) throws CrailException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || Files.isDirectory(file)) {
            throw new InvalidArgumentException(
                    "--file " + file + " is a directory; name a file in it, or a block device");
        }
        if (!Files.isDirectory(directory)) {
            throw new NoSuchNodeException(
                    "--file "
                            + file
                            + ": there is no directory "
                            + directory
                            + "; make it, mount what belongs there, or correct the path");
        }
        if (!Files.exists(file)) {
            checkNew(file, directory, bytes);
        } else if (!Files.isReadable(file) || !Files.isWritable(file)) {
            throw new AccessDeniedException(
                    "--file " + file + " is not readable and writable for this user");
        } else if (bytes > 0 && !Files.isRegularFile(file)) {
            throw new InvalidArgumentException(
                    "--size is for files; "
                            + file
                            + " is none, and is served with the size that it has: leave --size"
                            + " out");
        }
    }

    private static void checkNew(Path file, Path directory, long bytes) throws CrailException {
        if (bytes == 0) {
            throw new InvalidArgumentException(
                    "--file "
                            + file
                            + " is not there; correct the path, or give a --size, and it is made");
        }
        if (!Files.isWritable(directory)) {
            throw new AccessDeniedException(
                    "--file " + file + " cannot be made: " + directory + " is not writable");
        }
    }
}
