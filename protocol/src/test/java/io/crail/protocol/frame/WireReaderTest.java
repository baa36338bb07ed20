// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.crail.error.ProtocolException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class WireReaderTest {
    private interface Reading {
        Object read(WireReader reader) throws ProtocolException;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static void refused(Reading reading, int... values) {
        assertThatThrownBy(() -> reading.read(new WireReader(bytes(values))))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void numbersAreLittleEndianAndUnsignedUpTo16Bits() throws ProtocolException {
        WireReader reader =
                new WireReader(bytes(0xFF, 0xFE, 0xFF, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0));
        assertThat(reader.u8()).isEqualTo(0xFF);
        assertThat(reader.u16()).isEqualTo(0xFFFE);
        assertThat(reader.i32()).isEqualTo(1);
        assertThat(reader.i64()).isEqualTo(2);
        assertThat(reader.remaining()).isZero();
    }

    @Test
    void negativeLengthsAreRefused() {
        refused(WireReader::length32, 0, 0, 0, 0x80);
        refused(WireReader::length64, 0, 0, 0, 0, 0, 0, 0, 0x80);
    }

    @Test
    void booleanIsZeroOrOne() throws ProtocolException {
        assertThat(new WireReader(bytes(0)).bool()).isFalse();
        assertThat(new WireReader(bytes(1)).bool()).isTrue();
        refused(WireReader::bool, 2);
        refused(WireReader::bool, 255);
    }

    @Test
    void fieldsLongerThanTheirLimitAreRefused() throws ProtocolException {
        int[] three = {3, 0, 'a', 'b', 'c'};
        assertThat(new WireReader(bytes(three)).bytes(3)).isEqualTo(bytes('a', 'b', 'c'));
        assertThat(new WireReader(bytes(three)).string(3)).isEqualTo("abc");
        assertThat(new WireReader(bytes(three)).bytesView(3).remaining()).isEqualTo(3);
        refused(reader -> reader.bytes(2), three);
        refused(reader -> reader.string(2), three);
        refused(reader -> reader.bytesView(2), three);
    }

    @Test
    void fieldsLongerThanTheMessageAreRefused() {
        refused(reader -> reader.bytes(99), 3, 0, 'a', 'b');
        refused(reader -> reader.string(99), 3, 0, 'a', 'b');
        refused(reader -> reader.bytesView(99), 3, 0, 'a', 'b');
        refused(reader -> reader.raw(3), 'a', 'b');
        refused(reader -> reader.raw(-1), 'a', 'b');
        refused(reader -> reader.view(3), 'a', 'b');
        refused(reader -> reader.view(-1), 'a', 'b');
        refused(reader -> reader.count(2), 2, 0, 1, 1, 1);
        refused(reader -> reader.count(Integer.MAX_VALUE), 0xFF, 0xFF);
    }

    @Test
    void absentFieldCostsNoMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] absent = bytes(0xFF, 0xFF);
        List<Reading> readings =
                List.of(
                        reader -> reader.bytes(0xFFFF),
                        reader -> reader.string(0xFFFF),
                        reader -> reader.raw(1 << 30),
                        reader -> reader.count(8));
        for (Reading reading : readings) {
            long allocated = Long.MAX_VALUE;
            for (int run = 0; run < 5; run++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                try {
                    reading.read(new WireReader(absent));
                } catch (ProtocolException e) {
                    allocated =
                            Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
                }
            }
            assertThat(allocated).isLessThan(16 << 10);
        }
    }

    @Test
    void stringMustBeUtf8() throws ProtocolException {
        assertThat(new WireReader(bytes(2, 0, 0xC3, 0xBC)).string(9)).isEqualTo("\u00fc");
        refused(reader -> reader.string(9), 1, 0, 0xFF);
        refused(reader -> reader.string(9), 1, 0, 0xC3);
        refused(reader -> reader.string(9), 2, 0, 0xC0, 0x80);
        refused(reader -> reader.string(9), 3, 0, 0xED, 0xA0, 0x80);
    }

    @Test
    void recordSkipsAppendedFieldsAndRefusesMissingOnes() throws ProtocolException {
        WireReader longer = new WireReader(bytes(3, 0, 7, 8, 9, 42));
        int end = longer.beginRecord();
        assertThat(longer.u8()).isEqualTo(7);
        assertThat(longer.hasMore(end)).isTrue();
        longer.endRecord(end);
        assertThat(longer.hasMore(end)).isFalse();
        assertThat(longer.u8()).isEqualTo(42);

        WireReader shorter = new WireReader(bytes(1, 0, 7, 8));
        int shortEnd = shorter.beginRecord();
        assertThat(shorter.u16()).isEqualTo(0x0807);
        assertThatThrownBy(() -> shorter.endRecord(shortEnd)).isInstanceOf(ProtocolException.class);

        refused(WireReader::beginRecord, 2, 0, 1);
    }

    @Test
    void aNarrowedReaderEndsWhereItsPartDoesAndGoesOnBehindIt() throws ProtocolException {
        WireReader reader = new WireReader(bytes(1, 2, 3, 4, 5, 6));
        assertThat(reader.u8()).isEqualTo(1);
        int outer = reader.narrow(4);
        assertThat(reader.remaining()).isEqualTo(4);
        int inner = reader.narrow(1);
        assertThat(reader.u8()).isEqualTo(2);
        assertThatThrownBy(reader::u8).isInstanceOf(ProtocolException.class);
        reader.widen(inner);
        assertThat(reader.u8()).isEqualTo(3);
        reader.widen(outer); // what was not read of the part is skipped
        assertThat(reader.remaining()).isEqualTo(1);
        assertThat(reader.u8()).isEqualTo(6);

        refused(each -> each.narrow(3), 1, 2);
        refused(each -> each.narrow(-1), 1, 2);
    }

    @Test
    void sourceBufferIsLeftAlone() throws ProtocolException {
        ByteBuffer source = ByteBuffer.wrap(bytes(9, 9, 1, 0, 0, 0, 9)).position(2).limit(6);
        WireReader reader = new WireReader(source);
        assertThat(reader.remaining()).isEqualTo(4);
        assertThat(reader.i32()).isEqualTo(1);
        assertThatThrownBy(reader::u8).isInstanceOf(ProtocolException.class);
        assertThat(source.position()).isEqualTo(2);
    }

    @Property(tries = 2000)
    void anyReadsOfAnyBytesGiveValuesOrRefusals(@ForAll byte[] content, @ForAll long seed) {
        Random random = new Random(seed);
        WireReader reader = new WireReader(content);
        List<Reading> readings =
                List.of(
                        WireReader::u8,
                        WireReader::bool,
                        WireReader::u16,
                        WireReader::i32,
                        WireReader::length32,
                        WireReader::i64,
                        WireReader::length64,
                        r -> r.count(random.nextInt(20)),
                        r -> r.bytes(random.nextInt(0x10000)),
                        r -> r.raw(random.nextInt(64)),
                        r -> r.string(random.nextInt(0x10000)),
                        r -> r.bytesView(random.nextInt(0x10000)),
                        r -> r.view(random.nextInt(64)),
                        WireReader::beginRecord);
        for (int i = 0; i < 20; i++) {
            int before = reader.remaining();
            try {
                readings.get(random.nextInt(readings.size())).read(reader);
            } catch (ProtocolException e) {
                // A refusal is one of the two right outcomes; reading may go on behind it.
            }
            assertThat(reader.remaining()).isBetween(0, before);
        }
    }
}
