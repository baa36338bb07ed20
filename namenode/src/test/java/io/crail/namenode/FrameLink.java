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
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/** A connection to a namenode that carries whole frames: over TCP, or straight to an engine. */
interface FrameLink extends Closeable {
    byte[] NO_PAYLOAD = {};

    /** Makes connections. */
    @FunctionalInterface
    interface Connector {
        FrameLink connect() throws IOException;
    }

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

    void send(byte[] frame) throws IOException;

    /** The next answer; waits for it within a bound. */
    Answer receive() throws IOException;

    default Hello.Reply hello(Hello.Request hello) throws IOException {
        send(frame(new Header(0, hello.type().wire(), 0, 0, 0), control(hello), NO_PAYLOAD));
        return Hello.Reply.decode(receive().orThrow().reader());
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
}
