// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.NoSuchNodeException;
import io.crail.error.ProtocolException;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.golden.GoldenVector;
import io.crail.protocol.golden.WireValue;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Read;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoldenFramesTest {
    private static ByteBuffer buffer(GoldenVector vector) {
        return ByteBuffer.wrap(vector.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer empty(GoldenVector vector) {
        return ByteBuffer.allocate(vector.bytes().length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static WireReader control(GoldenVector vector) {
        ByteBuffer frame = buffer(vector);
        return new WireReader(frame.slice(FrameHeader.SIZE, FrameHeader.controlLength(frame, 0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lookup-request", "delete-request", "ping-request"})
    void requestHeaderReadsAndWritesAsStated(String name) throws ProtocolException {
        GoldenVector vector = GoldenVector.load("frame/" + name + ".txt");
        ByteBuffer frame = buffer(vector);
        FrameHeader.check(frame, 0, ProtocolLimits.MAX_FRAME);
        checkCommon(vector, frame);
        assertThat(FrameHeader.isResponse(frame, 0)).isFalse();
        assertThat(FrameHeader.isMutation(frame, 0)).isEqualTo(name.startsWith("delete"));
        assertThat(FrameHeader.sessionId(frame, 0)).isEqualTo(vector.number("session"));
        assertThat(FrameHeader.deadlineMillis(frame, 0))
                .isEqualTo((int) vector.number("deadlineMillis"));
        assertThat(FrameHeader.acknowledged(frame, 0)).isEqualTo(vector.number("acknowledged"));

        ByteBuffer written = empty(vector);
        FrameHeader.putRequest(
                written,
                0,
                (int) vector.number("flags"),
                (int) vector.number("type"),
                vector.number("requestId"),
                vector.number("session"),
                (int) vector.number("deadlineMillis"),
                (int) vector.number("controlLength"),
                0,
                vector.number("acknowledged"),
                vector.number("traceId"));
        written.put(FrameHeader.SIZE, vector.bytes("control."));
        assertThat(written).isEqualTo(buffer(vector));
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete-reply", "error-reply", "read-reply"})
    void responseHeaderReadsAndWritesAsStated(String name) throws ProtocolException {
        GoldenVector vector = GoldenVector.load("frame/" + name + ".txt");
        ByteBuffer frame = buffer(vector);
        FrameHeader.check(frame, 0, ProtocolLimits.MAX_FRAME);
        checkCommon(vector, frame);
        assertThat(FrameHeader.isResponse(frame, 0)).isTrue();
        assertThat(FrameHeader.epoch(frame, 0)).isEqualTo(vector.number("epoch"));
        assertThat(FrameHeader.status(frame, 0)).isEqualTo((int) vector.number("status"));

        byte[] payload = vector.bytes("payload");
        ByteBuffer written = empty(vector);
        FrameHeader.putResponse(
                written,
                0,
                (int) vector.number("type"),
                vector.number("requestId"),
                vector.number("epoch"),
                (int) vector.number("status"),
                (int) vector.number("controlLength"),
                payload.length,
                vector.number("traceId"));
        written.put(FrameHeader.SIZE, vector.bytes("control."));
        written.put(vector.bytes().length - payload.length, payload);
        assertThat(written).isEqualTo(buffer(vector));
    }

    private static void checkCommon(GoldenVector vector, ByteBuffer frame) {
        assertThat(FrameHeader.length(frame, 0)).isEqualTo(vector.bytes().length);
        assertThat(FrameHeader.version(frame, 0)).isEqualTo((int) vector.number("version"));
        assertThat(FrameHeader.flags(frame, 0)).isEqualTo((int) vector.number("flags"));
        assertThat(FrameHeader.type(frame, 0)).isEqualTo((int) vector.number("type"));
        assertThat(FrameHeader.requestId(frame, 0)).isEqualTo(vector.number("requestId"));
        assertThat(FrameHeader.traceId(frame, 0)).isEqualTo(vector.number("traceId"));
        assertThat(FrameHeader.payloadLength(frame, 0)).isEqualTo(vector.bytes("payload").length);
    }

    @Test
    void controlPartsOfTheFramesDecode() throws ProtocolException {
        byte[] path = "/app".getBytes(StandardCharsets.UTF_8);
        assertThat(Lookup.Request.decode(control(GoldenVector.load("frame/lookup-request.txt"))))
                .usingRecursiveComparison()
                .isEqualTo(new Lookup.Request(path, Lookup.EXTENTS));
        assertThat(Delete.Request.decode(control(GoldenVector.load("frame/delete-request.txt"))))
                .usingRecursiveComparison()
                .isEqualTo(new Delete.Request(path, false));
        assertThat(Delete.Reply.decode(control(GoldenVector.load("frame/delete-reply.txt"))).node())
                .isEqualTo(42);
    }

    @Test
    void errorReplyIsCodeAndMessage() throws ProtocolException {
        GoldenVector vector = GoldenVector.load("frame/error-reply.txt");
        ErrorCode code = ErrorCode.ofWire(FrameHeader.status(buffer(vector), 0));
        String message = control(vector).string(ProtocolLimits.MAX_ERROR_MESSAGE);
        assertThat(CrailException.of(code, message))
                .isInstanceOf(NoSuchNodeException.class)
                .hasMessage("no node /app: create it first");
    }

    @Test
    void checksumOfTheReadReplyIsThatOfItsPayload() throws ProtocolException {
        GoldenVector vector = GoldenVector.load("frame/read-reply.txt");
        byte[] payload = WireValue.encode("raw12", vector.field("payload").value());
        int stored = Read.Reply.decode(control(vector)).checksums()[0];
        assertThat(ChunkChecksum.salted(stored, 512, 0xC0FFEE01_00000005L))
                .isEqualTo(ChunkChecksum.crc(ByteBuffer.wrap(payload), 0, payload.length));
    }
}
