// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.cli.probe.HelloProbe;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.local.Ownership;
import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Tries the ways that a client of this process would take. */
final class LocalWays implements TransportCheck.Ways {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Override
    public boolean answers(Endpoint at) {
        return HelloProbe.answers(at, PATIENCE);
    }

    @Override
    public Optional<String> whyNotShared(Path directory) {
        try {
            if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(
                        directory
                                + " is not seen here: it is another host or container (give both"
                                + " the same volume)");
            }
            Ownership ownership = Ownership.of(directory);
            if (!ownership.isOwn()) {
                return Optional.of(
                        directory
                                + " belongs to user "
                                + ownership.owner()
                                + ", this process to "
                                + ownership.self()
                                + ": only processes of the server's user share its memory");
            }
            return whyNoSocket(directory);
        } catch (IOException e) {
            return Optional.of(directory + " cannot be looked at: " + e);
        }
    }

    /** The kernel connects at once, or not at all. */
    private static Optional<String> whyNoSocket(Path directory) throws IOException {
        Path socket = directory.resolve(SessionLayout.SOCKET);
        Path real =
                Files.isSymbolicLink(socket)
                        ? directory.resolve(Files.readSymbolicLink(socket))
                        : socket;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(real))) {
            return channel.isConnected()
                    ? Optional.empty()
                    : Optional.of(real + " did not take a connection");
        } catch (IOException e) {
            return Optional.of("nobody listens on " + real + ": " + e.getMessage());
        }
    }
}
