// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.CrailException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Message;
import io.crail.storage.segment.Segment;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Appends answers to the batch of a connection. Stateless. */
final class Answers {
    private Answers() {}

    /** What of a request its answer repeats. */
    record Correlation(int type, long requestId, long traceId) {
        static Correlation of(ByteBuffer view, int at) {
            return new Correlation(
                    FrameHeader.type(view, at),
                    FrameHeader.requestId(view, at),
                    FrameHeader.traceId(view, at));
        }
    }

    /** Success without fields. */
    static void empty(AnswerBatch batch, Correlation to) {
        header(batch.room(FrameHeader.SIZE), to, 0, 0, 0);
    }

    static void message(AnswerBatch batch, Correlation to, Message message) {
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_HELLO_FRAME);
        message.encode(writer);
        control(batch, to, 0, writer);
    }

    /** A failure: its wire code and its message, cut to what the protocol allows. */
    static void error(AnswerBatch batch, Correlation to, CrailException error) {
        String text = error.getMessage() == null ? "" : error.getMessage();
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, ProtocolLimits.MAX_ERROR_MESSAGE);
        while (length < utf8.length && (utf8[length] & 0xC0) == 0x80) {
            length--; // Never cut within a character.
        }
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_HELLO_FRAME);
        writer.bytes(Arrays.copyOf(utf8, length));
        control(batch, to, error.code().wire(), writer);
    }

    /** A READ whose payload is copied behind its checksums. */
    static void read(
            AnswerBatch batch,
            Correlation to,
            Segment segment,
            int firstSlot,
            int checksums,
            ByteBuffer payload) {
        int length = payload.remaining();
        head(batch, to, segment, firstSlot, checksums, length, length).writeBytes(payload);
    }

    /** Header and checksums of a READ; the payload is sent behind it. */
    static void readHead(
            AnswerBatch batch,
            Correlation to,
            Segment segment,
            int firstSlot,
            int checksums,
            int payloadLength) {
        head(batch, to, segment, firstSlot, checksums, payloadLength, 0);
    }

    private static ByteBuf head(
            AnswerBatch batch,
            Correlation to,
            Segment segment,
            int firstSlot,
            int checksums,
            int payloadLength,
            int copied) {
        int control = 2 + 4 * checksums;
        ByteBuf answer = batch.room(FrameHeader.SIZE + control + copied);
        header(answer, to, 0, control, payloadLength);
        answer.writeShortLE(checksums);
        for (int i = 0; i < checksums; i++) {
            answer.writeIntLE(segment.checksum(firstSlot + i));
        }
        return answer;
    }

    private static void control(AnswerBatch batch, Correlation to, int status, WireWriter writer) {
        ByteBuffer control = writer.buffer().flip();
        ByteBuf answer = batch.room(FrameHeader.SIZE + control.remaining());
        header(answer, to, status, control.remaining(), 0);
        answer.writeBytes(control);
    }

    private static void header(
            ByteBuf answer, Correlation to, int status, int control, int payload) {
        int at = answer.writerIndex();
        ByteBuffer view =
                answer.internalNioBuffer(at, FrameHeader.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putResponse(
                view,
                view.position(),
                to.type(),
                to.requestId(),
                0,
                status,
                control,
                payload,
                to.traceId());
        answer.writerIndex(at + FrameHeader.SIZE);
    }
}
