// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Stands between clients and one server, and flips bits of what the server answers, one in each
 * piece that arrives, while it is told to.
 */
final class FlippingProxy implements AutoCloseable {
    private static final int PIECE = 64 << 10;

    private final ServerSocket listener;
    private final InetSocketAddress server;
    private final long seed;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile boolean flipping;

    FlippingProxy(InetSocketAddress at, InetSocketAddress server, long seed) throws IOException {
        this.server = server;
        this.seed = seed;
        listener = new ServerSocket();
        listener.bind(at);
        start(this::accept);
    }

    void setFlipping(boolean on) {
        flipping = on;
    }

    private static void start(Runnable run) {
        Thread thread = new Thread(run, "flipping-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            for (long number = 0; true; number++) {
                Socket client = listener.accept();
                Socket behind = new Socket();
                sockets.add(client);
                sockets.add(behind);
                behind.connect(server);
                client.setTcpNoDelay(true);
                behind.setTcpNoDelay(true);
                Random random = new Random(seed + number);
                start(() -> pass(client, behind, null));
                start(() -> pass(behind, client, random));
            }
        } catch (IOException e) {
            close();
        }
    }

    /** Until one end closes; then both are. */
    private void pass(Socket from, Socket to, @Nullable Random random) {
        byte[] piece = new byte[PIECE];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                if (random != null && flipping && read > 0) {
                    piece[random.nextInt(read)] ^= (byte) (1 << random.nextInt(8));
                }
                out.write(piece, 0, read);
            }
        } catch (IOException e) {
            // The other end has gone; so does this one.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
