// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FrameHeaderTest {
    private static final int MAX = 10_000;

    private static ByteBuffer header(int length, int control) {
        ByteBuffer buffer = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putRequest(buffer, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0);
        buffer.putInt(FrameHeader.LENGTH, length).putInt(FrameHeader.CONTROL_LENGTH, control);
        return buffer;
    }

    private static void refused(ByteBuffer header, String message) {
        assertThatThrownBy(() -> FrameHeader.check(header, 0, MAX))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(message);
    }

    @Test
    void lengthsUpToTheLimitAreAccepted() {
        for (int length : new int[] {FrameHeader.SIZE, FrameHeader.SIZE + 1, MAX}) {
            assertThatCode(() -> FrameHeader.check(header(length, 0), 0, MAX))
                    .doesNotThrowAnyException();
            assertThatCode(
                            () ->
                                    FrameHeader.check(
                                            header(length, length - FrameHeader.SIZE), 0, MAX))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void lengthsOutsideAreRefused() {
        refused(header(0, 0), "frame of 0 bytes");
        refused(header(FrameHeader.SIZE - 1, 0), "frame of 47 bytes");
        refused(header(MAX + 1, 0), "frame of 10001 bytes");
        refused(header(-1, 0), "frame of 4294967295 bytes");
        refused(header(Integer.MIN_VALUE, 0), "frame of 2147483648 bytes");
    }

    @Test
    void controlPartMustFitItsFrame() {
        refused(header(100, 53), "control part of 53 bytes");
        refused(header(100, -1), "control part of 4294967295 bytes");
        refused(header(FrameHeader.SIZE, 1), "control part of 1 bytes");
    }

    @Test
    void unknownVersionsAreRefused() {
        for (int version : new int[] {0, ProtocolLimits.VERSION + 1, 255}) {
            ByteBuffer header = header(FrameHeader.SIZE, 0);
            header.put(FrameHeader.VERSION, (byte) version);
            refused(header, "protocol version " + version);
        }
    }

    @Test
    void strayHttpRequestIsRefused() {
        ByteBuffer request =
                ByteBuffer.wrap(
                                "GET / HTTP/1.1\r\nHost: node1.example:7000\r\nAccept: */*\r\n\r\n"
                                        .getBytes(StandardCharsets.US_ASCII))
                        .order(ByteOrder.LITTLE_ENDIAN);
        assertThatThrownBy(() -> FrameHeader.check(request, 0, ProtocolLimits.MAX_FRAME))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void headerIsWrittenAtAnyPosition() {
        ByteBuffer buffer = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putResponse(buffer, 13, 0xFFFF, -1, -2, 26, 3, 4, -3);
        assertThat(FrameHeader.length(buffer, 13)).isEqualTo(55);
        assertThat(FrameHeader.type(buffer, 13)).isEqualTo(0xFFFF);
        assertThat(FrameHeader.requestId(buffer, 13)).isEqualTo(-1);
        assertThat(FrameHeader.epoch(buffer, 13)).isEqualTo(-2);
        assertThat(FrameHeader.status(buffer, 13)).isEqualTo(26);
        assertThat(FrameHeader.controlLength(buffer, 13)).isEqualTo(3);
        assertThat(FrameHeader.payloadLength(buffer, 13)).isEqualTo(4);
        assertThat(FrameHeader.traceId(buffer, 13)).isEqualTo(-3);
        assertThat(buffer.position()).isZero();
        assertThat(buffer.get(12)).isZero();
        assertThat(buffer.get(61)).isZero();
    }

    @Property
    void whatCheckAcceptsHasPartsWithinTheFrame(@ForAll long seed) {
        byte[] bytes = new byte[FrameHeader.SIZE];
        new Random(seed).nextBytes(bytes);
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        header.put(FrameHeader.VERSION, (byte) ProtocolLimits.VERSION);
        header.putShort(FrameHeader.LENGTH + 2, (short) 0);
        header.putShort(FrameHeader.CONTROL_LENGTH + 2, (short) 0);
        try {
            FrameHeader.check(header, 0, MAX);
        } catch (ProtocolException e) {
            return;
        }
        assertThat(FrameHeader.payloadLength(header, 0)).isBetween(0, MAX);
        assertThat(FrameHeader.length(header, 0))
                .isEqualTo(
                        FrameHeader.SIZE
                                + FrameHeader.controlLength(header, 0)
                                + FrameHeader.payloadLength(header, 0));
    }
}
