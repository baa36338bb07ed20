// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.wire.identify.LocalSocketField;
import io.crail.protocol.local.Ownership;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether to believe a controller that tells of a Unix socket. It is used if it is a socket of this
 * user, in a directory of this user that nobody else may enter: so nobody else has put it there. A
 * host in another container, or of another user finds none there, and uses TCP. A target other than
 * the one that told would refuse Connect, since it knows no such controller. Nor is it used where
 * the controller was reached at another address than this host has connected to: through a proxy,
 * which may have been set up to see, to slow or to disturb what goes through it.
 */
final class LocalSocket {
    private static final Logger LOG = LoggerFactory.getLogger(LocalSocket.class);

    private LocalSocket() {}

    /**
     * The socket that was told of, if it can be used. Looks at files.
     *
     * @param remote where this host has connected to
     */
    static @Nullable Path find(@Nullable LocalSocketField told, InetSocketAddress remote) {
        if (told == null || !told.reached().equals(remote)) {
            return null;
        }
        try {
            Path path = Path.of(told.path());
            Path directory = path.getParent();
            if (!path.isAbsolute() || directory == null) {
                return null;
            }
            Ownership place = Ownership.of(directory);
            boolean usable =
                    place.isOwn()
                            && place.isPrivate()
                            && Ownership.of(path).isOwn()
                            && Files.readAttributes(
                                            path,
                                            BasicFileAttributes.class,
                                            LinkOption.NOFOLLOW_LINKS)
                                    .isOther();
            return usable ? path : null;
        } catch (IOException | InvalidPathException | UnsupportedOperationException e) {
            LOG.debug("There is no socket {} for this host", told.path(), e);
            return null;
        }
    }
}
