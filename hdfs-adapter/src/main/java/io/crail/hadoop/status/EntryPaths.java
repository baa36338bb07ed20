// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.fs.Path;

/**
 * Paths of the entries of one directory. Names may hold what a URI gives a meaning to, so they are
 * not parsed as one. Thread-safe.
 *
 * <p>To make a path of its parts costs more than all else of an entry: scheme, authority and
 * directory are quoted, put together and parsed again for each. A name that needs no quoting is put
 * behind the directory's URI, which has been parsed; nothing but the name is looked at.
 */
public final class EntryPaths {
    private final URI fileSystem;
    private final String directory;
    private final URI base;

    /**
     * @param fileSystem its URI
     * @param directory plain path
     */
    public EntryPaths(URI fileSystem, String directory) {
        this.fileSystem = fileSystem;
        this.directory = directory.endsWith("/") ? directory : directory + "/";
        this.base = uri(this.directory);
    }

    private URI uri(String path) {
        try {
            return new URI(fileSystem.getScheme(), fileSystem.getAuthority(), path, null, null);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("path " + path + " of " + fileSystem, e);
        }
    }

    /** The path of an entry. */
    Path of(String name) {
        return isPlain(name)
                ? new Path(base.resolve(name))
                : new Path(fileSystem.getScheme(), fileSystem.getAuthority(), directory + name);
    }

    /** Whether it means itself as a relative URI: no quoting, no scheme, and neither . nor .. */
    private static boolean isPlain(String name) {
        boolean dotsOnly = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '.') {
                return false;
            }
            dotsOnly &= c == '.';
        }
        return !dotsOnly;
    }
}
