// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.CrailException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Message;
import io.crail.storage.block.BlockTable;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encodes answers into pooled buffers, of which the caller owns one reference. Stateless. */
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
    static ByteBuf empty(ByteBufAllocator allocator, Correlation to) {
        ByteBuf answer = allocator.directBuffer(FrameHeader.SIZE);
        header(answer, to, 0, 0, 0);
        return answer;
    }

    static ByteBuf message(ByteBufAllocator allocator, Correlation to, Message message) {
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_CONTROL);
        message.encode(writer);
        return control(allocator, to, 0, writer);
    }

    /** A failure: its wire code and its message, cut to what the protocol allows. */
    static ByteBuf error(ByteBufAllocator allocator, Correlation to, CrailException error) {
        String text = error.getMessage() == null ? "" : error.getMessage();
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, ProtocolLimits.MAX_ERROR_MESSAGE);
        while (length < utf8.length && (utf8[length] & 0xC0) == 0x80) {
            length--; // Never cut within a character.
        }
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_HELLO_FRAME);
        writer.bytes(Arrays.copyOf(utf8, length));
        return control(allocator, to, error.code().wire(), writer);
    }

    /** Header and checksums of a READ; the payload is sent behind it. */
    static ByteBuf read(
            ByteBufAllocator allocator,
            Correlation to,
            BlockTable table,
            int firstSlot,
            int checksums,
            int payloadLength) {
        int control = 2 + 4 * checksums;
        ByteBuf answer = allocator.directBuffer(FrameHeader.SIZE + control);
        header(answer, to, 0, control, payloadLength);
        answer.writeShortLE(checksums);
        for (int i = 0; i < checksums; i++) {
            answer.writeIntLE(table.words().checksum(firstSlot + i));
        }
        return answer;
    }

    private static ByteBuf control(
            ByteBufAllocator allocator, Correlation to, int status, WireWriter writer) {
        ByteBuffer control = writer.buffer().flip();
        ByteBuf answer = allocator.directBuffer(FrameHeader.SIZE + control.remaining());
        header(answer, to, status, control.remaining(), 0);
        answer.writeBytes(control);
        return answer;
    }

    private static void header(
            ByteBuf answer, Correlation to, int status, int control, int payload) {
        ByteBuffer view = answer.nioBuffer(0, FrameHeader.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putResponse(
                view, 0, to.type(), to.requestId(), 0, status, control, payload, to.traceId());
        answer.writerIndex(FrameHeader.SIZE);
    }
}
