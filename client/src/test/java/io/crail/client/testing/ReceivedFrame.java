// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.MessageType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A request as a peer received it. */
public record ReceivedFrame(byte[] bytes) {
    private ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    public MessageType type() {
        MessageType type = MessageType.ofWire(FrameHeader.type(buffer(), 0));
        if (type == null) {
            throw new IllegalStateException("unknown type " + FrameHeader.type(buffer(), 0));
        }
        return type;
    }

    public long id() {
        return FrameHeader.requestId(buffer(), 0);
    }

    public long session() {
        return FrameHeader.sessionId(buffer(), 0);
    }

    public long acknowledged() {
        return FrameHeader.acknowledged(buffer(), 0);
    }

    public int deadlineMillis() {
        return FrameHeader.deadlineMillis(buffer(), 0);
    }

    public boolean isMutation() {
        return FrameHeader.isMutation(buffer(), 0);
    }

    public WireReader control() {
        return new WireReader(
                buffer().slice(FrameHeader.SIZE, FrameHeader.controlLength(buffer(), 0)));
    }

    public byte[] payload() {
        byte[] payload = new byte[FrameHeader.payloadLength(buffer(), 0)];
        buffer().get(bytes.length - payload.length, payload);
        return payload;
    }
}
