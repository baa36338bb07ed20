// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.testing;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Ping;
import io.crail.protocol.message.Read;
import io.crail.protocol.message.Write;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A client of the data path on a blocking socket; every wait is bounded by 20 s. Not thread-safe.
 */
public final class RawClient implements AutoCloseable {
    public static final UUID ANY_CLUSTER = new UUID(0, 0);
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final byte[] NOTHING = {};

    /** An answer, its parts copied. */
    public record Answer(long requestId, int type, int status, byte[] control, byte[] payload) {
        /** Throws what the server answered if that was an error. */
        public Answer success() throws CrailException {
            if (status != 0) {
                throw CrailException.of(
                        ErrorCode.ofWire(status), new WireReader(control).string(1024));
            }
            return this;
        }

        public int[] checksums() throws CrailException {
            return Read.Reply.decode(new WireReader(control)).checksums();
        }
    }

    private final Closeable connection;
    private final @Nullable Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private long nextId = 1;

    public RawClient(int port) throws IOException {
        this(port, 0);
    }

    /**
     * @param receiveBuffer size of the socket's receive buffer, 0 = the kernel's choice
     */
    public RawClient(int port, int receiveBuffer) throws IOException {
        socket = new Socket();
        connection = socket;
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** A client over a Unix socket. Its waits have no bound of their own. */
    public RawClient(Path address) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(address));
        socket = null;
        connection = channel;
        in = new DataInputStream(Channels.newInputStream(channel));
        out = Channels.newOutputStream(channel);
    }

    public Answer hello(long session, long ticket) throws IOException {
        return hello(ANY_CLUSTER, session, ticket);
    }

    public Answer hello(UUID cluster, long session, long ticket) throws IOException {
        return call(helloOf(cluster, session, ticket), NOTHING);
    }

    /** The hello of a client for a session, any cluster, without authentication. */
    public static Hello.Request helloOf(UUID cluster, long session, long ticket) {
        return new Hello.Request(
                ProtocolLimits.HELLO_MAGIC,
                ProtocolLimits.MIN_VERSION,
                ProtocolLimits.VERSION,
                Hello.ROLE_CLIENT,
                Hello.AUTHENTICATION_NONE,
                0,
                cluster,
                0,
                session,
                ticket,
                new byte[16],
                0,
                "test");
    }

    public Answer ping() throws IOException {
        return call(new Ping.Request(), NOTHING);
    }

    public Answer read(BlockReference block, int offset, int length, int flags) throws IOException {
        return call(new Read.Request(block, offset, length, flags), NOTHING);
    }

    public Answer write(BlockReference block, int offset, byte[] data, int... checksums)
            throws IOException {
        return call(new Write.Request(block, offset, checksums), data);
    }

    public Answer call(Message message, byte[] payload) throws IOException {
        long id = send(message, payload);
        Answer answer = receive();
        if (answer.requestId != id) {
            throw new AssertionError("answer " + answer.requestId + " to request " + id);
        }
        return answer;
    }

    /** Sends a request without waiting for the answer; returns its id. */
    public long send(Message message, byte[] payload) throws IOException {
        long id = nextId++;
        out.write(frame(message, id, payload));
        return id;
    }

    public static byte[] frame(Message message, long id, byte[] payload) {
        return frame(message, message.type().wire(), id, payload);
    }

    public static byte[] frame(Message message, int type, long id, byte[] payload) {
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_FRAME);
        writer.raw(new byte[FrameHeader.SIZE]);
        message.encode(writer);
        int control = writer.position() - FrameHeader.SIZE;
        writer.raw(payload);
        FrameHeader.putRequest(
                writer.buffer(), 0, 0, type, id, 0, 0, control, payload.length, 0, 77);
        byte[] frame = new byte[writer.position()];
        writer.buffer().flip().get(frame);
        return frame;
    }

    public void sendRaw(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    public void shutdownOutput() throws IOException {
        socket().shutdownOutput();
    }

    /** Makes the close a reset, as of a process that was killed. */
    public void reset() throws IOException {
        socket().setSoLinger(true, 0);
        connection.close();
    }

    public Answer receive() throws IOException {
        ByteBuffer header = ByteBuffer.allocate(FrameHeader.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        in.readFully(header.array());
        byte[] control = new byte[FrameHeader.controlLength(header, 0)];
        in.readFully(control);
        byte[] payload = new byte[FrameHeader.payloadLength(header, 0)];
        in.readFully(payload);
        if (!FrameHeader.isResponse(header, 0) || FrameHeader.traceId(header, 0) != 77) {
            throw new AssertionError("not an answer to a request of this client");
        }
        return new Answer(
                FrameHeader.requestId(header, 0),
                FrameHeader.type(header, 0),
                FrameHeader.status(header, 0),
                control,
                payload);
    }

    /** Waits until the server has closed the connection; false if it sent something instead. */
    public boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (EOFException | SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    private Socket socket() {
        return Objects.requireNonNull(socket, "not a TCP client");
    }
}
