// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/** One blocking TCP connection that speaks frames. Every wait is bounded. Not thread-safe. */
final class WireConnection implements Closeable {
    static final byte[] NO_PAYLOAD = {};
    private static final int TIMEOUT_MILLIS = 20_000;

    /** A whole answer. */
    record Answer(int type, long id, int status, long epoch, byte[] control, byte[] payload) {
        WireReader reader() {
            return new WireReader(control);
        }

        /** This answer, or the error that it carries. */
        Answer orThrow() throws CrailException {
            if (status != 0) {
                throw CrailException.of(ErrorCode.ofWire(status), message());
            }
            return this;
        }

        private String message() throws CrailException {
            return reader().string(ProtocolLimits.MAX_ERROR_MESSAGE);
        }
    }

    /** What stands in the header of a request besides lengths. */
    record Header(int flags, int type, long id, long session, long acknowledged) {}

    private final Socket socket = new Socket();
    private final DataInputStream in;

    WireConnection(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(address, TIMEOUT_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 << 10));
    }

    static byte[] control(Message message) {
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_FRAME);
        message.encode(writer);
        byte[] control = new byte[writer.position()];
        writer.buffer().get(0, control);
        return control;
    }

    static byte[] frame(Header header, byte[] control, byte[] payload) {
        ByteBuffer frame =
                ByteBuffer.allocate(FrameHeader.SIZE + control.length + payload.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putRequest(
                frame,
                0,
                header.flags,
                header.type,
                header.id,
                header.session,
                ProtocolLimits.DEFAULT_DEADLINE_MILLIS,
                control.length,
                payload.length,
                header.acknowledged,
                header.id);
        return frame.position(FrameHeader.SIZE).put(control).put(payload).array();
    }

    /** The hello of a role for a session (0 and zeros: none), any cluster and any epoch. */
    static Hello.Request helloOf(int role, long session, byte[] token) {
        return new Hello.Request(
                ProtocolLimits.HELLO_MAGIC,
                ProtocolLimits.MIN_VERSION,
                ProtocolLimits.VERSION,
                role,
                Hello.AUTHENTICATION_NONE,
                0,
                new UUID(0, 0),
                0,
                session,
                0,
                token,
                0,
                "test");
    }

    Hello.Reply hello(Hello.Request hello) throws IOException {
        send(frame(new Header(0, hello.type().wire(), 0, 0, 0), control(hello), NO_PAYLOAD));
        return Hello.Reply.decode(receive().orThrow().reader());
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    Answer receive() throws IOException {
        byte[] header = new byte[FrameHeader.SIZE];
        in.readFully(header);
        ByteBuffer h = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        byte[] control = in.readNBytes(FrameHeader.controlLength(h, 0));
        byte[] payload = in.readNBytes(FrameHeader.payloadLength(h, 0));
        return new Answer(
                FrameHeader.type(h, 0),
                FrameHeader.requestId(h, 0),
                FrameHeader.status(h, 0),
                FrameHeader.epoch(h, 0),
                control,
                payload);
    }

    /** Whether the server closes the connection, after any answers, before the time is out. */
    boolean awaitClosed() throws IOException {
        try {
            while (in.read() >= 0) {
                in.skipNBytes(in.available());
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (java.net.SocketException e) {
            return true; // A reset: closed with our bytes unread.
        }
    }

    /** Says that nothing more will be sent. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
