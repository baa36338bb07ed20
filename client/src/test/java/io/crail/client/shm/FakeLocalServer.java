// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.testing.ReceivedFrame;
import io.crail.error.CrailException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Detach;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.segment.SessionLayout;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The Unix socket of a storage server: says hello, attaches and detaches as told. */
final class FakeLocalServer implements AutoCloseable {
    /** Answers ATTACH; null: not at all. */
    @FunctionalInterface
    interface Attaching {
        @Nullable Message attach(ReceivedFrame frame) throws CrailException;
    }

    private final ServerSocketChannel listener;
    private final Path socket;
    private final UUID cluster;
    private volatile Attaching attaching;
    private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();
    private final List<MessageType> received = new CopyOnWriteArrayList<>();

    private FakeLocalServer(
            ServerSocketChannel listener, Path socket, UUID cluster, Attaching attaching) {
        this.listener = listener;
        this.socket = socket;
        this.cluster = cluster;
        this.attaching = attaching;
    }

    /** Listens where clients of the memory look. */
    static FakeLocalServer start(ServerMemory memory) throws IOException {
        return start(
                memory.directory().resolve(SessionLayout.SOCKET),
                ServerMemory.CLUSTER,
                frame -> memory.attachReply());
    }

    static FakeLocalServer start(Path socket, UUID cluster, Attaching attaching)
            throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket));
        FakeLocalServer server = new FakeLocalServer(listener, socket, cluster, attaching);
        spawn(server::accept);
        return server;
    }

    /** How ATTACH is answered from now on. */
    void attaching(Attaching next) {
        attaching = next;
    }

    /** Types of the requests that arrived. */
    List<MessageType> received() {
        return received;
    }

    void dropConnections() throws IOException {
        for (SocketChannel connection : connections) {
            connection.close();
        }
    }

    private static void spawn(Runnable body) {
        Thread thread = new Thread(body, "fake-local-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel accepted = listener.accept();
                connections.add(accepted);
                spawn(() -> serve(accepted));
            }
        } catch (IOException e) {
            return; // Closed.
        }
    }

    private void serve(SocketChannel connection) {
        try (connection;
                DataInputStream in = new DataInputStream(Channels.newInputStream(connection))) {
            while (true) {
                byte[] header = in.readNBytes(FrameHeader.SIZE);
                if (header.length < FrameHeader.SIZE) {
                    return;
                }
                ByteBuffer view = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
                byte[] whole = Arrays.copyOf(header, FrameHeader.length(view, 0));
                in.readFully(whole, FrameHeader.SIZE, whole.length - FrameHeader.SIZE);
                answer(connection, new ReceivedFrame(whole));
            }
        } catch (IOException e) {
            return; // Closed by either side.
        }
    }

    private void answer(SocketChannel connection, ReceivedFrame frame) throws IOException {
        received.add(frame.type());
        WireWriter control = new WireWriter(256, ProtocolLimits.MAX_CONTROL);
        int status = 0;
        try {
            Message message = message(frame);
            if (message == null) {
                return;
            }
            message.encode(control);
        } catch (CrailException e) {
            status = e.code().wire();
            control.string(String.valueOf(e.getMessage()));
        }
        int length = FrameHeader.SIZE + control.position();
        ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putResponse(
                out, 0, frame.type().wire(), frame.id(), 0, status, control.position(), 0, 0);
        out.position(FrameHeader.SIZE);
        out.put(control.buffer().array(), 0, control.position()).flip();
        while (out.hasRemaining()) {
            connection.write(out);
        }
    }

    private @Nullable Message message(ReceivedFrame frame) throws CrailException {
        return switch (frame.type()) {
            case HELLO ->
                    new Hello.Reply(
                            ProtocolLimits.VERSION,
                            0,
                            0,
                            cluster,
                            1,
                            ProtocolLimits.MAX_FRAME,
                            ProtocolLimits.MAX_UNACKNOWLEDGED,
                            0,
                            0,
                            "fake",
                            new byte[0]);
            case ATTACH -> attaching.attach(frame);
            case DETACH -> new Detach.Reply();
            default -> throw new IllegalStateException("got " + frame.type());
        };
    }

    /** Ends; the address is free again. */
    @Override
    public void close() throws IOException {
        listener.close();
        dropConnections();
        Files.deleteIfExists(socket);
    }
}
