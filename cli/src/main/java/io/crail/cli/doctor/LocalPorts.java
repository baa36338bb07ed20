// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.cli.probe.HelloProbe;
import io.crail.cli.probe.StatusPage;
import io.crail.error.AccessDeniedException;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Looks at ports by listening on them for a moment, and by asking who does already. */
final class LocalPorts implements PortCheck.Ports {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int FIRST_FREE = 1024;

    private final StatusPage pages;

    LocalPorts(StatusPage pages) {
        this.pages = pages;
    }

    @Override
    public PortCheck.State rpc(Endpoint at) {
        PortCheck.State here = look(at);
        return here == PortCheck.State.TAKEN && HelloProbe.answers(reachable(at), PATIENCE)
                ? PortCheck.State.CRAIL
                : here;
    }

    @Override
    public PortCheck.State status(Endpoint at) {
        PortCheck.State here = look(at);
        return here == PortCheck.State.TAKEN && showsStatus(reachable(at))
                ? PortCheck.State.CRAIL
                : here;
    }

    private boolean showsStatus(Endpoint at) {
        try {
            return pages.fetch("http://" + at, "/metrics", PATIENCE)
                    .join()
                    .contains("crail_build_info");
        } catch (CompletionException e) {
            return e.getCause() instanceof AccessDeniedException;
        }
    }

    /** Who listens on all addresses is asked on loopback. */
    private static Endpoint reachable(Endpoint at) {
        try {
            return InetAddress.getByName(at.host()).isAnyLocalAddress()
                    ? new Endpoint(InetAddress.getLoopbackAddress().getHostAddress(), at.port())
                    : at;
        } catch (UnknownHostException e) {
            return at;
        }
    }

    private static PortCheck.State look(Endpoint at) {
        try {
            InetAddress address = InetAddress.getByName(at.host());
            @Nullable NetworkInterface owner = NetworkInterface.getByInetAddress(address);
            if (!address.isAnyLocalAddress() && !address.isLoopbackAddress() && owner == null) {
                return PortCheck.State.NOT_HERE;
            }
            return listen(new InetSocketAddress(address, at.port()));
        } catch (UnknownHostException e) {
            return PortCheck.State.UNKNOWN;
        } catch (IOException e) {
            return PortCheck.State.NOT_HERE;
        }
    }

    private static PortCheck.State listen(InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address, 1);
            return PortCheck.State.FREE;
        } catch (IOException e) {
            return address.getPort() < FIRST_FREE && !isAccepted(address)
                    ? PortCheck.State.FORBIDDEN
                    : PortCheck.State.TAKEN;
        }
    }

    private static boolean isAccepted(InetSocketAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(address, (int) PATIENCE.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
