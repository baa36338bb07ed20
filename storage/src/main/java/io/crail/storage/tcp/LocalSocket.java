// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a Unix socket lives. Its address holds 108 bytes, which a path easily exceeds: then the
 * socket is made in a short temporary directory (mode 0700), and a symbolic link leads to it.
 *
 * @param address path to bind to
 * @param announced path under which clients look for it: the address, or a link to it
 */
record LocalSocket(Path address, Path announced) {
    private static final Logger LOG = LoggerFactory.getLogger(LocalSocket.class);

    /** Bytes of a path in sockaddr_un, without the NUL at its end. */
    private static final int MAX_ADDRESS = 107;

    /**
     * A place that is free to bind. What is at {@code announced} is a leftover of an earlier server
     * and is removed: the caller has locked the directory.
     */
    static LocalSocket at(Path announced) throws CrailException {
        try {
            remove(announced);
            if (announced.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_ADDRESS) {
                return new LocalSocket(announced, announced);
            }
            Path address = Files.createTempDirectory("crail-").resolve("data.sock");
            Files.createSymbolicLink(announced, address);
            return new LocalSocket(address, announced);
        } catch (IOException e) {
            throw new InternalException("cannot make a Unix socket at " + announced, e);
        }
    }

    /** Removes the socket, and what was made to hold it. */
    void remove() {
        try {
            remove(announced);
        } catch (IOException e) {
            LOG.warn("Cannot remove {}: {}", announced, e.toString());
        }
    }

    private static void remove(Path announced) throws IOException {
        if (Files.isSymbolicLink(announced)) {
            Path address = Files.readSymbolicLink(announced);
            Files.deleteIfExists(address);
            removeIfEmpty(address.getParent());
        }
        if (Files.exists(announced, LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(announced);
        }
    }

    private static void removeIfEmpty(@Nullable Path made) throws IOException {
        if (made != null && Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS)) {
            try (var entries = Files.list(made)) {
                if (entries.findAny().isPresent()) {
                    return;
                }
            }
            Files.delete(made);
        }
    }
}
