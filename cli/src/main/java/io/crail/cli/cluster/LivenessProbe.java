// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.protocol.config.Endpoint;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.UUID;

/**
 * Tells whether a server answers. It says hello as a client without a session does; every server
 * answers that with a reply, a challenge or a refusal, whatever the secret is. A connection alone
 * would prove nothing: the kernel makes it for a stopped process, too.
 */
final class LivenessProbe {
    private static final int TOKEN = 16;
    private static final int CONTROL = 256;

    private LivenessProbe() {}

    /** Whether a server answers in time. */
    static boolean answers(Endpoint server, Duration patience) {
        int millis = (int) patience.toMillis();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.host(), server.port()), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(hello(millis));
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static byte[] hello(int timeoutMillis) {
        WireWriter control = new WireWriter(CONTROL, ProtocolLimits.MAX_HELLO_FRAME);
        new Hello.Request(
                        ProtocolLimits.HELLO_MAGIC,
                        ProtocolLimits.MIN_VERSION,
                        ProtocolLimits.VERSION,
                        Hello.ROLE_CLIENT,
                        Hello.AUTHENTICATION_NONE,
                        0,
                        new UUID(0, 0),
                        0,
                        0,
                        0,
                        new byte[TOKEN],
                        0,
                        "crail cluster status")
                .encode(control);
        int length = control.position();
        ByteBuffer frame =
                ByteBuffer.allocate(FrameHeader.SIZE + length).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putRequest(
                frame, 0, 0, MessageType.HELLO.wire(), 1, 0, timeoutMillis, length, 0, 0, 0);
        frame.put(FrameHeader.SIZE, control.buffer().array(), 0, length);
        return frame.array();
    }
}
