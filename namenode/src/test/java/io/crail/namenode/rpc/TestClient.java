// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.frame.FrameHeader;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

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

    private final Socket socket;
    private final DataInputStream in;

    private TestClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** Connects without saying hello. */
    static TestClient connect(InetSocketAddress address) throws IOException {
        return connect(address, 0);
    }

    static TestClient connect(InetSocketAddress address, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setSoTimeout(20_000);
        socket.connect(address, 20_000);
        return new TestClient(socket);
    }

    /** Connects and completes the hello. */
    static TestClient establish(InetSocketAddress address) throws IOException {
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
        socket.getOutputStream().write(bytes);
        return this;
    }

    TestClient send(byte[] bytes, int offset, int length) throws IOException {
        socket.getOutputStream().write(bytes, offset, length);
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

    /** Whether something arrives within a short time. */
    boolean receivesNothingFor(int millis) throws IOException {
        socket.setSoTimeout(millis);
        try {
            in.readUnsignedByte();
            return false;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout(20_000);
        }
    }

    /** Closes with a reset instead of an orderly end. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
