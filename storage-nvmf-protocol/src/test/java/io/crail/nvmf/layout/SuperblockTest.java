// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.layout.Superblock.UnusableException;
import io.crail.nvmf.layout.Superblock.UnusableException.Reason;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SuperblockTest {
    private static final Superblock SAMPLE =
            new Superblock(
                    new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L),
                    new UUID(0x1112131415161718L, 0x191A1B1C1D1E1F20L),
                    0x21222324,
                    FlashLayout.ofData(64L << 20));

    private static ByteBuffer unit() {
        ByteBuffer unit = ByteBuffer.allocate(FlashLayout.UNIT);
        SAMPLE.encode(unit);
        return unit;
    }

    private static Reason reason(ByteBuffer unit) {
        try {
            Superblock.decode(unit);
        } catch (UnusableException e) {
            return e.reason();
        }
        throw new AssertionError("it was taken");
    }

    @Test
    void itReadsWhatItWrites() throws UnusableException {
        assertThat(Superblock.decode(unit())).isEqualTo(SAMPLE);
    }

    @Test
    void itsBytesAreThese() {
        assertThat(HexFormat.of().formatHex(unit().array(), 0, 96))
                .isEqualTo(
                        "435241494c4e564d" // magic
                                + "0100000000000000" // version
                                + "0807060504030201100f0e0d0c0b0a09"
                                + "1817161514131211201f1e1d1c1b1a19"
                                + "24232221" // incarnation
                                + "00100000" // unit
                                + "0000010000000000" // slot
                                + "0000000400000000" // data
                                + "0000010000000000" // counters
                                + "0000020000000000" // records
                                + "0000500000000000"); // data
    }

    @Test
    void whatIsNoSuperblockIsToldFromOneThatIsDamaged() {
        assertThat(reason(ByteBuffer.allocate(FlashLayout.UNIT))).isEqualTo(Reason.BLANK);
        ByteBuffer foreign = ByteBuffer.allocate(FlashLayout.UNIT);
        foreign.put(1080, (byte) 0x53);
        assertThat(reason(foreign)).isEqualTo(Reason.FOREIGN);
        for (int at : new int[] {8, 20, 48, 64, 100, 4000, 4095}) {
            ByteBuffer damaged = unit();
            damaged.put(at, (byte) (damaged.get(at) ^ 1));
            assertThat(reason(damaged)).isEqualTo(Reason.CORRUPT);
        }
    }

    @Test
    void tagsAndHostsAndPlacesAreReadAsTheyWereWritten() {
        ByteBuffer entry = ByteBuffer.allocate(70);
        CommandTag tag = new CommandTag(1024, 1 << 20, 0x8182838485868788L);
        tag.encode(entry, 6);
        assertThat(CommandTag.decode(entry, 6)).isEqualTo(tag);
        assertThat(HexFormat.of().formatHex(entry.array(), 14, 22)).isEqualTo("0004000000001000");
        assertThat(HexFormat.of().formatHex(entry.array(), 62, 70)).isEqualTo("8887868584838281");

        SessionHost host = new SessionHost(7, -9);
        assertThat(SessionHost.of(host.name(), host.id())).contains(host);
        assertThat(host.name()).isEqualTo("nqn.2026-11.io.crail:session:0000000000000007");
        assertThat(SessionHost.of(host.name(), new UUID(8, -9))).isEmpty();
        assertThat(SessionHost.of("nqn.2014-08.org.nvmexpress:uuid:x", host.id())).isEmpty();
        assertThat(host).hasToString(host.name());

        FlashEndpoint place = FlashEndpoint.guarded("::1", 1, "nqn.2026-11.io.crail:a/b");
        assertThat(FlashEndpoint.parse(place.text())).isEqualTo(place);
        for (String bad : new String[] {"", "h", "h/1/g", "h/x/g/n", "h/1/y/n", "/1/g/n"}) {
            assertThatThrownBy(() -> FlashEndpoint.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
