// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.ring.Ring;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has connections within this machine send as fast as they are read.
 *
 * <p>Machines whose TCP is set to BBR ({@code net.ipv4.tcp_congestion_control}) pace what they
 * send, over loopback, too: a timer for each 64 KiB, which took a core that sends 3 GB/s a fifth of
 * its time in a virtual machine (ADR 24). There is no network to be congested: connections of a
 * listener at a loopback address get Reno, which every kernel has and allows everybody. A
 * connection inherits it from the listener.
 *
 * <p>Java has no such option; io_uring sets it, from Linux 6.7 on, by the number of the descriptor,
 * which Java does not tell either: it is found by the listener's port. Where any of it is not to be
 * had, connections are paced as the machine has it.
 */
final class LoopbackPacing {
    private static final Logger LOG = LoggerFactory.getLogger(LoopbackPacing.class);

    /** What new sockets get. */
    private static final Path DEFAULT = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    /** BBR, in any version. */
    private static final String PACED = "bbr";

    /** TCP_CONGESTION (tcp(7)), of the level of TCP. */
    private static final int CONGESTION = 13;

    private static final int LEVEL_TCP = 6;
    private static final String UNPACED = "reno";

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** Columns of proc_net_tcp: local address, state, inode. */
    private static final int LOCAL = 1;

    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENING = "0A";

    private LoopbackPacing() {}

    /**
     * Switches pacing off for what will be accepted, if that can only come from this machine.
     *
     * @return whether it was
     */
    static boolean switchOff(ServerSocketChannel listener) throws IOException {
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        if (!address.getAddress().isLoopbackAddress()) {
            return false;
        }
        try {
            if (!isPaced()) {
                return false;
            }
            int error = set(descriptor(address.getPort()));
            if (error != 0) {
                LOG.debug("Connections of {} are paced as set: error {}", address, -error);
            }
            return error == 0;
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("Connections of {} are paced as set: {}", address, e.toString());
            return false;
        }
    }

    /** Whether sockets of this machine are, unless they are told otherwise. */
    static boolean isPaced() throws IOException {
        return Files.isReadable(DEFAULT) && Files.readString(DEFAULT).startsWith(PACED);
    }

    private static int set(int socket) throws IOException {
        Ring ring =
                new Ring(
                        1,
                        (token, result) -> {
                            throw new IllegalStateException("nothing was read");
                        });
        try {
            byte[] name = UNPACED.getBytes(StandardCharsets.US_ASCII);
            ByteBuffer value = ByteBuffer.allocateDirect(name.length).put(0, name);
            return ring.setSocketOption(socket, LEVEL_TCP, CONGESTION, value);
        } finally {
            ring.close();
        }
    }

    /** That of this process's socket that listens at a port. */
    private static int descriptor(int port) throws IOException {
        Set<String> sockets = listening(port);
        try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path each : all) {
                if (sockets.contains(target(each))) {
                    return Integer.parseInt(each.getFileName().toString());
                }
            }
        }
        throw new IOException("no descriptor is known to be the socket at port " + port);
    }

    private static String target(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return ""; // closed meanwhile, as that of the listing itself
        }
    }

    /** Sockets of the machine that listen at a port, as links of descriptors show them. */
    private static Set<String> listening(int port) throws IOException {
        String suffix = String.format(Locale.ROOT, ":%04X", port);
        Set<String> links = new HashSet<>();
        for (String table : new String[] {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
            if (Files.isReadable(Path.of(table))) {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] columns = line.trim().split("\\s+", -1);
                    if (columns.length > INODE
                            && columns[LOCAL].endsWith(suffix)
                            && columns[STATE].equals(LISTENING)) {
                        links.add("socket:[" + columns[INODE] + "]");
                    }
                }
            }
        }
        return links;
    }
}
