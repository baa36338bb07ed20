// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.fake;

import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.wire.command.ConnectData;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A target on a port of its own. What it is like is set before a host connects; what it does with a
 * command may be replaced at any time by an {@link Interceptor}.
 */
public final class FakeTarget implements AutoCloseable {
    public static final String NAME = "nqn.2026-01.io.crail:fake";

    /** Replaces what the target does with a command. */
    @FunctionalInterface
    public interface Interceptor {
        /** Returns whether the command was dealt with. */
        boolean intercept(FakeConnection connection, FakeCommand command) throws IOException;
    }

    /** What a host said when it ended a connection. */
    public record Termination(int status, int information) {}

    public volatile boolean headerDigest = true;
    public volatile boolean dataDigest = true;
    public volatile int dataAlignment = 4;
    public volatile int maxH2cData = 8192;
    public volatile int inCapsuleBytes = 4096;
    public volatile int maxTransferShift = 0;
    public volatile int maxCommands = 64;
    public volatile int maxQueueEntries = 128;
    public volatile int queuesGranted = 8;
    public volatile int keepAliveUnits = 10;

    /** What Get Features says of the keep-alive timer; negative: that it knows no features. */
    public volatile long keepAliveInForce = -1;

    public volatile int notReadyPolls = 2;
    public volatile int blockShift = 9;
    public volatile int metadataSize = 0;
    public volatile int ioCommands = 0x2D;
    public volatile int asyncEvents = 0;
    public volatile boolean sharesMemory = false;
    public volatile boolean takesRiders = false;
    public volatile int r2tBytes = 1 << 20;
    public volatile int c2hData = 1 << 20;
    public volatile int sendPieces = 0;
    public volatile boolean successFlag = false;
    public volatile int connectStatus = 0;
    public volatile Interceptor interceptor = (connection, command) -> false;

    /** Told of a connection before its first PDU; may take it over by returning true. */
    public volatile Interceptor greeting = (connection, command) -> false;

    public final AtomicInteger connections = new AtomicInteger();
    public final AtomicInteger discoveryGeneration = new AtomicInteger();
    public final AtomicInteger keepAlives = new AtomicInteger();

    /** Hosts that said that they leave. */
    public final AtomicInteger shutdowns = new AtomicInteger();

    public final Queue<Termination> terminations = new ConcurrentLinkedQueue<>();
    public final Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
    public final Queue<String> log = new ConcurrentLinkedQueue<>();
    public volatile @Nullable ByteBuffer connectData;

    /** The blocks of namespace 1. */
    public final byte[] medium = new byte[4 << 20];

    private final ServerSocket server;
    private final List<FakeConnection> open = new CopyOnWriteArrayList<>();

    public FakeTarget() throws IOException {
        this(0);
    }

    /** On that port, which was another one's before. */
    public FakeTarget(int port) throws IOException {
        server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread thread = new Thread(this::accept, "fake-target");
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return server.getLocalPort();
    }

    public NvmeAddress address() {
        return new NvmeAddress("127.0.0.1", port(), NAME);
    }

    /** Number of blocks of namespace 1. */
    public long blocks() {
        return (long) medium.length >>> blockShift;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                connections.incrementAndGet();
                FakeConnection connection = new FakeConnection(this, socket);
                open.add(connection);
                Thread thread = new Thread(() -> serve(connection), "fake-target-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                log.add("accept: " + e);
            }
        }
    }

    private void serve(FakeConnection connection) {
        try {
            FakeCommand nothing = new FakeCommand(0, ByteBuffer.allocate(64), new byte[0]);
            if (greeting.intercept(connection, nothing)) {
                return;
            }
            connection.negotiate();
            FakeController controller = new FakeController(this, connection);
            while (true) {
                FakeCommand command = connection.nextCommand();
                if (!interceptor.intercept(connection, command)) {
                    controller.execute(command);
                }
            }
        } catch (IOException e) {
            log.add("connection: " + e);
        } catch (RuntimeException | Error e) {
            faults.add(e);
        } finally {
            open.remove(connection);
            connection.close();
        }
    }

    void connected(byte[] data) {
        connectData = ByteBuffer.wrap(data);
        if (!ConnectData.subsystemName(ByteBuffer.wrap(data), 0).isEmpty()) {
            log.add("connected " + ConnectData.hostName(ByteBuffer.wrap(data), 0));
        }
    }

    /** Cuts all connections. */
    public void cutAll() {
        open.forEach(FakeConnection::close);
    }

    @Override
    public void close() throws IOException {
        server.close();
        cutAll();
    }
}
