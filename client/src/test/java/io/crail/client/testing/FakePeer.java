// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.error.CrailException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections on loopback, a thread for each, and answers frames. What arrives passes the
 * {@link Script} first, which may delay, drop, or answer in its own way.
 */
public abstract class FakePeer implements AutoCloseable {
    /** A successful answer. */
    public record Answer(Message message, byte[] payload) {
        public static Answer of(Message message) {
            return new Answer(message, new byte[0]);
        }
    }

    /** A connection, for scripts. */
    public final class Connection {
        private final Socket socket;

        /** How often all that had arrived was handled. */
        private final AtomicLong rests = new AtomicLong();

        private volatile boolean ended;

        Connection(Socket socket) {
            this.socket = socket;
        }

        /** Answers as usual. */
        public void proceed(ReceivedFrame frame) throws IOException {
            write(respond(frame), Integer.MAX_VALUE);
        }

        /** What the usual answer would be, as bytes. */
        public byte[] respond(ReceivedFrame frame) {
            return FakePeer.this.respond(this, frame);
        }

        /** Sends bytes in pieces of at most a size. */
        public synchronized void write(byte[] bytes, int pieceSize) throws IOException {
            OutputStream out = socket.getOutputStream();
            for (int at = 0; at < bytes.length; at += Math.min(pieceSize, bytes.length - at)) {
                out.write(bytes, at, Math.min(pieceSize, bytes.length - at));
                out.flush();
            }
        }

        public void drop() throws IOException {
            socket.close();
        }
    }

    /** What to do with an arriving frame. */
    @FunctionalInterface
    public interface Script {
        /** Whether the frame was dealt with; else it is answered as usual. */
        boolean handle(Connection connection, ReceivedFrame frame)
                throws IOException, InterruptedException;
    }

    private static final int REST_MILLIS = 20;

    private final String name;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final List<ReceivedFrame> received = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile @Nullable ServerSocket listener;
    private volatile Script script = (connection, frame) -> false;
    private @Nullable Socket placeholder;
    private @Nullable Thread acceptor;
    private int port;

    protected FakePeer(String name) {
        this.name = name;
    }

    /** Begins to listen, on the same port as before. */
    public void start() throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        port = socket.getLocalPort();
        listener = socket;
        if (placeholder != null && port == placeholder.getLocalPort()) {
            placeholder.close();
        }
        acceptor = spawn(name + "-accept", () -> accept(socket));
    }

    /** Refuses connections and breaks those there are. */
    public void stop() throws IOException {
        endListening();
        // Bound and not listening: connections are refused, and nobody else gets the port.
        Socket keeper = new Socket();
        keeper.setReuseAddress(true);
        keeper.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        placeholder = keeper;
    }

    /** The kernel forgets the listener when the accepting thread has left it. */
    private void endListening() throws IOException {
        ServerSocket socket = listener;
        if (socket != null) {
            socket.close();
        }
        Thread accepting = acceptor;
        if (accepting != null) {
            Awaitility.await().until(() -> !accepting.isAlive());
        }
        dropConnections();
    }

    public void dropConnections() throws IOException {
        for (Connection connection : connections) {
            connection.drop();
        }
    }

    public int port() {
        return port;
    }

    public String endpoint() {
        return "127.0.0.1:" + port;
    }

    public void script(Script next) {
        script = next;
    }

    /** Everything that arrived so far. */
    public List<ReceivedFrame> received() {
        return received;
    }

    /** How many of a type arrived so far. */
    public long received(MessageType type) {
        return received.stream().filter(frame -> frame.type() == type).count();
    }

    /** Goes on listening at another port; connections break. */
    public void move() throws IOException {
        stop(); // Nobody else gets the old port.
        port = 0;
        start();
    }

    /**
     * Waits until all has been handled that has arrived by now on the connections there are. A
     * reader that finds nothing for a while has handled what came before it gave up.
     */
    public void awaitHandled() {
        for (Connection connection : connections) {
            long before = connection.rests.get();
            Awaitility.await().until(() -> connection.ended || connection.rests.get() > before);
        }
    }

    /** Whether every connection has ended, all that arrived on it been handled. */
    public boolean hasNoConnections() {
        return connections.isEmpty();
    }

    /** The usual answer. */
    protected abstract Answer answer(Connection connection, ReceivedFrame frame)
            throws CrailException;

    /** What the header of answers says. */
    protected abstract long epoch();

    protected byte[] respond(Connection connection, ReceivedFrame frame) {
        try {
            return encode(frame, 0, answer(connection, frame));
        } catch (CrailException e) {
            return refusal(frame, e);
        }
    }

    /** An error answer. */
    public byte[] refusal(ReceivedFrame frame, CrailException error) {
        WireWriter control = new WireWriter(64, 4096);
        control.string(String.valueOf(error.getMessage()));
        return assemble(frame, error.code().wire(), control, new byte[0]);
    }

    private byte[] encode(ReceivedFrame frame, int status, Answer answer) {
        WireWriter control = new WireWriter(256, ProtocolLimits.MAX_CONTROL);
        answer.message().encode(control);
        return assemble(frame, status, control, answer.payload());
    }

    private byte[] assemble(ReceivedFrame frame, int status, WireWriter control, byte[] payload) {
        int length = FrameHeader.SIZE + control.position() + payload.length;
        ByteBuffer whole = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putResponse(
                whole,
                0,
                frame.type().wire(),
                frame.id(),
                epoch(),
                status,
                control.position(),
                payload.length,
                0);
        whole.position(FrameHeader.SIZE);
        whole.put(control.buffer().array(), 0, control.position()).put(payload);
        return whole.array();
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                accepted.setTcpNoDelay(true);
                Connection connection = new Connection(accepted);
                connections.add(connection);
                spawn(name + "-connection", () -> serve(connection));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Connection connection) {
        try (Socket socket = connection.socket) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            while (true) {
                ReceivedFrame frame = read(in, first(connection, in));
                received.add(frame);
                if (!script.handle(connection, frame)) {
                    connection.proceed(frame);
                }
            }
        } catch (IOException | InterruptedException e) {
            connections.remove(connection);
        } finally {
            connection.ended = true;
        }
    }

    /** Waits for the first byte of a frame, and tells each time that there was none. */
    private static byte first(Connection connection, DataInputStream in) throws IOException {
        while (true) {
            connection.socket.setSoTimeout(REST_MILLIS);
            try {
                byte first = in.readByte();
                connection.socket.setSoTimeout(0);
                return first;
            } catch (SocketTimeoutException e) {
                connection.rests.incrementAndGet();
            }
        }
    }

    private static ReceivedFrame read(DataInputStream in, byte first) throws IOException {
        byte[] header = new byte[FrameHeader.SIZE];
        header[0] = first;
        in.readFully(header, 1, header.length - 1);
        int length = FrameHeader.length(ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN), 0);
        byte[] whole = new byte[length];
        System.arraycopy(header, 0, whole, 0, header.length);
        in.readFully(whole, header.length, length - header.length);
        return new ReceivedFrame(whole);
    }

    private Thread spawn(String threadName, Runnable body) {
        Thread thread = new Thread(body, threadName);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }

    @Override
    public void close() throws IOException {
        endListening();
        if (placeholder != null) {
            placeholder.close();
        }
        threads.forEach(Thread::interrupt);
    }
}
