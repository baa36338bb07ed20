// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.golden.GoldenVector;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionLayoutTest {
    private static final GoldenVector HEADER = GoldenVector.load("segment/session-header.txt");
    private static final GoldenVector SLOT = GoldenVector.load("segment/session-slot.txt");

    @Test
    void headerIsTheGoldenOne() {
        ByteBuffer bytes = ByteBuffer.wrap(HEADER.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(bytes.capacity()).isEqualTo(SessionLayout.CHECKED_TO);
        assertThat(bytes.getLong(SessionLayout.MAGIC_OFFSET)).isEqualTo(SessionLayout.MAGIC);
        assertThat(bytes.getInt(SessionLayout.VERSION_OFFSET)).isEqualTo(SessionLayout.VERSION);
        assertThat(bytes.getLong(SessionLayout.SESSION_OFFSET)).isEqualTo(HEADER.number("session"));
        assertThat(bytes.getInt(SessionLayout.PROCESS_OFFSET))
                .isEqualTo((int) HEADER.number("process"));
        assertThat(bytes.getInt(SessionLayout.SLOT_COUNT_OFFSET))
                .isEqualTo(SessionLayout.DEFAULT_SLOTS);
        assertThat(bytes.getLong(SessionLayout.SLOTS_OFFSET_OFFSET))
                .isEqualTo(SessionLayout.SLOTS_OFFSET);
        assertThat(bytes.getInt(SessionLayout.FLAGS_OFFSET)).isZero();
        int from = SessionLayout.CHECKED_FROM;
        assertThat(ChunkChecksum.crc(bytes, from, SessionLayout.CHECKED_TO - from))
                .isEqualTo(bytes.getInt(SessionLayout.CRC_OFFSET));
    }

    @Test
    void slotIsTheGoldenOne() {
        ByteBuffer bytes = ByteBuffer.wrap(SLOT.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(bytes.capacity()).isEqualTo(SessionLayout.SLOT_SIZE);
        assertThat(bytes.getLong(SessionLayout.SLOT_BLOCK))
                .isEqualTo(SessionLayout.blockWord(3, 77, true));
        assertThat(bytes.getLong(SessionLayout.SLOT_GENERATION))
                .isEqualTo(SLOT.number("generation"));
        assertThat(bytes.getLong(SessionLayout.SLOT_SINCE)).isEqualTo(SLOT.number("since"));
    }

    @Property
    void aBlockWordTellsWhatWasPutIn(
            @ForAll @IntRange(max = SessionLayout.MAX_SEGMENT) int segment,
            @ForAll @IntRange int record,
            @ForAll boolean write) {
        long word = SessionLayout.blockWord(segment, record, write);
        assertThat(SessionLayout.isUsed(word)).isTrue();
        assertThat(SessionLayout.isForWriting(word)).isEqualTo(write);
        assertThat(SessionLayout.segment(word)).isEqualTo(segment);
        assertThat(SessionLayout.record(word)).isEqualTo(record);
    }

    @Test
    void segmentsThatDoNotFitAreRefused() {
        assertThatThrownBy(() -> SessionLayout.blockWord(1 << 30, 0, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(SessionLayout.isUsed(0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "session-",
                "session-../x",
                "session-G",
                "Session-1",
                "session-1/2",
                "/session-1",
                "session-1\0",
                "session-11111111111111111111111111111111111111111111111111111111111111111"
            })
    void namesThatCouldBePathsAreRefused(String name) {
        assertThat(SessionLayout.isFileName(name)).isFalse();
    }

    @Test
    void namesOfClientsAreTaken() {
        assertThat(SessionLayout.isFileName("session-0000000000000007-4d2-9f")).isTrue();
    }
}
