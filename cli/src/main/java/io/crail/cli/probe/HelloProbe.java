// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.probe;

import io.crail.error.ProtocolException;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.MessageType;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Says hello to a server as a client without a session does; every server of crail answers that
 * with a reply, a challenge or a refusal, whatever the secret is. A connection alone would prove
 * nothing: the kernel makes it for a stopped process, too.
 */
public final class HelloProbe {
    private static final int TOKEN = 16;
    private static final int CONTROL = 256;
    private static final long REQUEST = 1;

    /** Larger than any answer to a hello. */
    private static final int MAX_ANSWER = 16 << 10;

    private HelloProbe() {}

    /**
     * What a server of crail has answered.
     *
     * @param hello its reply, not verified; empty if it has refused
     */
    public record Answer(Optional<Hello.Reply> hello) {}

    /** Whether a server answers in time. */
    public static boolean answers(Endpoint server, Duration patience) {
        try {
            Answer ignored = ask(server, patience);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Asks a server.
     *
     * @param patience for the connection, and for each part of the answer
     * @throws ProtocolException if what answers is no server of crail
     * @throws IOException if nothing answers in time
     */
    public static Answer ask(Endpoint server, Duration patience) throws IOException {
        int millis = (int) patience.toMillis();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.host(), server.port()), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(hello(millis));
            return answer(new DataInputStream(socket.getInputStream()));
        }
    }

    private static Answer answer(DataInputStream in) throws IOException {
        byte[] bytes = new byte[FrameHeader.SIZE];
        in.readFully(bytes);
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.check(header, 0, MAX_ANSWER);
        if (!FrameHeader.isResponse(header, 0)
                || FrameHeader.type(header, 0) != MessageType.HELLO.wire()
                || FrameHeader.requestId(header, 0) != REQUEST) {
            throw new ProtocolException("no answer to a hello; is it a server of crail?");
        }
        byte[] control = new byte[FrameHeader.controlLength(header, 0)];
        in.readFully(control);
        return new Answer(
                FrameHeader.status(header, 0) == 0
                        ? Optional.of(Hello.Reply.decode(new WireReader(control)))
                        : Optional.empty());
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
                        "crail probe")
                .encode(control);
        int length = control.position();
        ByteBuffer frame =
                ByteBuffer.allocate(FrameHeader.SIZE + length).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putRequest(
                frame, 0, 0, MessageType.HELLO.wire(), REQUEST, 0, timeoutMillis, length, 0, 0, 0);
        frame.put(FrameHeader.SIZE, control.buffer().array(), 0, length);
        return frame.array();
    }
}
