// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.frame.FrameHeader;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A blocking client that sends whatever bytes a test likes. Every wait is bounded. */
final class TestClient implements Closeable {
    /** A whole answer. */
    record Answer(ByteBuffer frame) {
        int type() {
            return FrameHeader.type(frame, 0);
        }

        long id() {
            return FrameHeader.requestId(frame, 0);
        }

        int status() {
            return FrameHeader.status(frame, 0);
        }

        long epoch() {
            return FrameHeader.epoch(frame, 0);
        }

        long traceId() {
            return FrameHeader.traceId(frame, 0);
        }

        byte[] control() {
            return part(FrameHeader.SIZE, FrameHeader.controlLength(frame, 0));
        }

        byte[] payload() {
            return part(
                    FrameHeader.SIZE + FrameHeader.controlLength(frame, 0),
                    FrameHeader.payloadLength(frame, 0));
        }

        private byte[] part(int offset, int length) {
            byte[] bytes = new byte[length];
            frame.get(offset, bytes);
            return bytes;
        }
    }

    private static final int PATIENCE_MILLIS = 60_000;

    private final SocketChannel socket;
    private final Selector readable;
    private final Selector writable;
    private final DataInputStream in = new DataInputStream(new BufferedInputStream(new Input()));
    private int patienceMillis = PATIENCE_MILLIS;

    private TestClient(SocketChannel socket) throws IOException {
        this.socket = socket;
        this.readable = Selector.open();
        this.writable = Selector.open();
        socket.configureBlocking(false);
        socket.register(readable, SelectionKey.OP_READ);
        socket.register(writable, SelectionKey.OP_WRITE);
    }

    /** Connects without saying hello. */
    static TestClient connect(SocketAddress address) throws IOException {
        return connect(address, 0);
    }

    static TestClient connect(SocketAddress address, int receiveBuffer) throws IOException {
        boolean local = address instanceof UnixDomainSocketAddress;
        SocketChannel socket =
                local ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        try {
            if (!local) {
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            if (receiveBuffer > 0) {
                socket.setOption(StandardSocketOptions.SO_RCVBUF, receiveBuffer);
            }
            socket.connect(address);
            return new TestClient(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Bytes from the socket, waiting for a bounded time. */
    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = socket.read(ByteBuffer.wrap(bytes, offset, length));
            if (read == 0) {
                await(readable, patienceMillis);
                read = socket.read(ByteBuffer.wrap(bytes, offset, length));
            }
            return read;
        }
    }

    private static void await(Selector selector, int millis) throws IOException {
        selector.selectedKeys().clear();
        if (selector.select(millis) == 0) {
            throw new SocketTimeoutException("nothing within " + millis + " ms");
        }
    }

    /** Connects and completes the hello. */
    static TestClient establish(SocketAddress address) throws IOException {
        return connect(address).hello();
    }

    TestClient hello() throws IOException {
        send(frame(TestHandler.HELLO, 0, new byte[0], new byte[0]));
        assertThat(receive().type()).isEqualTo(TestHandler.HELLO);
        return this;
    }

    static byte[] frame(int type, long id, byte[] control, byte[] payload) {
        ByteBuffer frame =
                ByteBuffer.allocate(FrameHeader.SIZE + control.length + payload.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putRequest(
                frame, 0, 0, type, id, 1, 1000, control.length, payload.length, 0, id ^ 0x5A5A);
        frame.position(FrameHeader.SIZE);
        frame.put(control).put(payload);
        return frame.array();
    }

    static byte[] frame(int type, long id) {
        return frame(type, id, new byte[0], new byte[0]);
    }

    static byte[] bulk(long id, int size) {
        byte[] control = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(size).array();
        return frame(TestHandler.BULK, id, control, new byte[0]);
    }

    static byte[] join(byte[]... frames) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] each : frames) {
            joined.writeBytes(each);
        }
        return joined.toByteArray();
    }

    TestClient send(byte[] bytes) throws IOException {
        return send(bytes, 0, bytes.length);
    }

    TestClient send(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes, offset, length);
        while (left.hasRemaining()) {
            if (socket.write(left) == 0) {
                await(writable, PATIENCE_MILLIS);
            }
        }
        return this;
    }

    Answer receive() throws IOException {
        byte[] header = new byte[FrameHeader.SIZE];
        in.readFully(header);
        int length = FrameHeader.length(ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN), 0);
        byte[] frame = new byte[length];
        System.arraycopy(header, 0, frame, 0, header.length);
        in.readFully(frame, header.length, length - header.length);
        return new Answer(ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN));
    }

    /** Sends an echo and checks its answer: the connection works. */
    void ping(long id) throws IOException {
        send(frame(TestHandler.ECHO, id));
        assertThat(receive().id()).isEqualTo(id);
    }

    /** Waits until the server has closed the connection, ignoring what it still sends. */
    void awaitClosed() throws IOException {
        try {
            while (in.read() >= 0) {
                in.skipNBytes(in.available());
            }
        } catch (SocketException | EOFException e) {
            assertThat(e).hasMessageNotContaining("timed out");
        }
    }

    /** Whether nothing arrives within a short time. */
    boolean receivesNothingFor(int millis) throws IOException {
        patienceMillis = millis;
        try {
            in.readUnsignedByte();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            patienceMillis = PATIENCE_MILLIS;
        }
    }

    /** Closes with a reset instead of an orderly end; a Unix socket resets if bytes lie unread. */
    void reset() throws IOException {
        if (socket.getRemoteAddress() instanceof InetSocketAddress) {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        close();
    }

    @Override
    public void close() throws IOException {
        try {
            socket.close();
        } finally {
            readable.close(); // Each gives up its key, and with the last the descriptor goes.
            writable.close();
        }
    }
}
