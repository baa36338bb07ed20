// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.local;

import io.crail.error.AccessDeniedException;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The directory below which each local cluster has its own: {@code $XDG_RUNTIME_DIR/crail}, else
 * {@code /tmp/crail-USER}. Readable by its owner only.
 *
 * @param path the directory; need not exist
 */
public record StateDirectory(Path path) {
    /** Belongs to the user who runs this process. */
    private static final Path SELF = Path.of("/proc", Long.toString(ProcessHandle.current().pid()));

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** The directory of the user who runs this. */
    public static StateDirectory ofUser(Map<String, String> environment) {
        String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
        if (!runtime.isEmpty() && Files.isDirectory(Path.of(runtime))) {
            return new StateDirectory(Path.of(runtime, "crail"));
        }
        return new StateDirectory(Path.of("/tmp", "crail-" + userName()));
    }

    /**
     * The user's name in a form that is safe as part of a file name; the number of a user who has
     * no name, as in some containers.
     */
    public static String userName() {
        String name = System.getProperty("user.name", "?");
        try {
            return name.equals("?") ? "uid-" + uid(SELF) : name.replaceAll("[^A-Za-z0-9._-]", "_");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static int uid(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Directory of the cluster of a name.
     *
     * @throws InvalidArgumentException if the name cannot be that of a directory
     */
    public Path cluster(String name) throws InvalidArgumentException {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidArgumentException(
                    "'" + name + "' is no name of a cluster: use letters, digits, '.', '_', '-'");
        }
        return path.resolve(name);
    }

    /** Names of the clusters that were started and not stopped, whether they run or not. */
    public List<String> clusters() {
        try (Stream<Path> below = Files.list(path)) {
            return below.filter(directory -> LocalCluster.read(directory) != null)
                    .map(directory -> directory.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /**
     * Makes the directory if it is missing, and refuses one that somebody else has put there: in
     * {@code /tmp} anybody could.
     */
    public void prepare() throws IOException {
        try {
            Files.createDirectory(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            if (!isOurs(path)) {
                throw new AccessDeniedException(
                        "directory "
                                + path
                                + " belongs to another user or is open to others; remove it, or set"
                                + " XDG_RUNTIME_DIR to a directory of your own",
                        e);
            }
        }
    }

    /** Whether a directory is the user's own and nobody else may write there. */
    static boolean isOurs(Path directory) throws IOException {
        return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && uid(directory) == uid(SELF)
                && !PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS))
                        .substring(3)
                        .contains("w");
    }
}
