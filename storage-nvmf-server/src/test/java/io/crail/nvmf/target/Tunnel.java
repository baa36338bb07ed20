// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Passes connections on to a target of the same machine, as a proxy or tunnel does. */
final class Tunnel implements Closeable {
    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    Tunnel(InetSocketAddress target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private static void start(Runnable run) {
        Thread thread = new Thread(run, "tunnel");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (true) {
            try {
                Socket host = listener.accept();
                sockets.add(host);
                Socket behind = new Socket(target.getAddress(), target.getPort());
                sockets.add(behind);
                start(() -> pass(host, behind));
                start(() -> pass(behind, host));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    /** Until one end closes; then both are. */
    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The other direction has ended both.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket each : sockets) {
            each.close();
        }
    }
}
