// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WireWriterTest {
    private static byte[] written(WireWriter writer) {
        ByteBuffer buffer = writer.buffer();
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    @Property
    void fieldsComeBackWhateverTheFirstSize(
            @ForAll @IntRange(max = 40) int initial,
            @ForAll int number,
            @ForAll long big,
            @ForAll byte[] bytes,
            @ForAll boolean flag)
            throws ProtocolException {
        WireWriter writer = new WireWriter(initial, 1 << 20);
        writer.u8(number & 0xFF).bool(flag).u16(number & 0xFFFF).i32(number).i64(big);
        writer.bytes(bytes).raw(bytes).raw(ByteBuffer.wrap(bytes)).string("\u00fc");
        WireReader reader = new WireReader(written(writer));
        assertThat(reader.u8()).isEqualTo(number & 0xFF);
        assertThat(reader.bool()).isEqualTo(flag);
        assertThat(reader.u16()).isEqualTo(number & 0xFFFF);
        assertThat(reader.i32()).isEqualTo(number);
        assertThat(reader.i64()).isEqualTo(big);
        assertThat(reader.bytes(0xFFFF)).isEqualTo(bytes);
        assertThat(reader.raw(bytes.length)).isEqualTo(bytes);
        assertThat(reader.raw(bytes.length)).isEqualTo(bytes);
        assertThat(reader.string(2)).isEqualTo("\u00fc");
        assertThat(reader.remaining()).isZero();
    }

    @Test
    void growingKeepsTheKindOfBufferAndWhatIsWritten() {
        for (ByteBuffer target :
                new ByteBuffer[] {ByteBuffer.allocate(4), ByteBuffer.allocateDirect(4)}) {
            WireWriter writer = new WireWriter(target, 100);
            writer.i32(1).i32(2);
            assertThat(writer.buffer().isDirect()).isEqualTo(target.isDirect());
            assertThat(writer.position()).isEqualTo(8);
            assertThat(written(writer)).isEqualTo(new byte[] {1, 0, 0, 0, 2, 0, 0, 0});
        }
    }

    @Test
    void limitIsReachedButNotPassed() {
        WireWriter writer = new WireWriter(1, 12);
        writer.i64(1).i32(2);
        assertThat(writer.position()).isEqualTo(12);
        assertThatThrownBy(() -> writer.u8(0)).isInstanceOf(IllegalStateException.class);
        assertThat(writer.position()).isEqualTo(12);
    }

    @Test
    void longFieldsAndRecordsAreRefusedRatherThanCut() {
        byte[] longest = new byte[0xFFFF];
        WireWriter writer = new WireWriter(1, 1 << 20);
        writer.bytes(longest);
        assertThat(writer.position()).isEqualTo(2 + longest.length);
        assertThatThrownBy(() -> writer.bytes(new byte[0x10000]))
                .isInstanceOf(IllegalStateException.class);
        int mark = writer.beginRecord();
        writer.raw(new byte[0x10000]);
        assertThatThrownBy(() -> writer.endRecord(mark)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rewindForgetsAndSetOverwrites() {
        WireWriter writer = new WireWriter(16, 16);
        writer.i32(0).u16(0).i64(-1);
        writer.rewindTo(6);
        writer.setI32(0, 0x04030201);
        writer.setU16(4, 0x0605);
        assertThat(written(writer)).isEqualTo(new byte[] {1, 2, 3, 4, 5, 6});
    }

    @Test
    void rawBufferKeepsItsPosition() {
        ByteBuffer source = ByteBuffer.wrap(new byte[] {1, 2, 3}).position(1);
        WireWriter writer = new WireWriter(16, 16);
        writer.raw(source);
        assertThat(source.position()).isEqualTo(1);
        assertThat(written(writer)).isEqualTo(new byte[] {2, 3});
    }

    @Test
    void senderLearnsThatAStringIsTooLong() throws InvalidArgumentException {
        String name = "\u00fc".repeat(100);
        assertThat(WireWriter.utf8("owner", name, 200)).hasSize(200);
        assertThatThrownBy(() -> WireWriter.utf8("owner", name, 199))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("owner")
                .hasMessageContaining("200");
    }

    @Test
    void partOfAnArrayIsWritten() {
        WireWriter writer = new WireWriter(0, 16);
        writer.bytes(new byte[] {1, 2, 3, 4}, 1, 2);
        assertThat(written(writer)).isEqualTo(new byte[] {2, 0, 2, 3});
    }
}
