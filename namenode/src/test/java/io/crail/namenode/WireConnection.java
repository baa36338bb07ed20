// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.frame.FrameHeader;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One blocking TCP connection that speaks frames. Every wait is bounded. Not thread-safe. */
final class WireConnection implements FrameLink {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;

    WireConnection(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(address, TIMEOUT_MILLIS);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 << 10));
    }

    @Override
    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    @Override
    public Answer receive() throws IOException {
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
