// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.RegisterSegment;
import io.crail.storage.spi.TierSegment;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SegmentReportTest {
    private record Counters(int[] counters) implements TierSegment {
        @Override
        public int number() {
            return 3;
        }

        @Override
        public int incarnation() {
            return 5;
        }

        @Override
        public long dataBytes() {
            return 4096L * counters.length;
        }
    }

    @Property(tries = 300)
    void thePartsTellEveryCounterInOrder(
            @ForAll @Size(min = 1, max = 60) @IntRange(min = 1, max = 3) int[] counters,
            @ForAll @IntRange(min = 1, max = 20) int maxRuns) {
        List<RegisterSegment.Request> parts = SegmentReport.of(7, new Counters(counters), maxRuns);
        int slot = 0;
        for (RegisterSegment.Request part : parts) {
            assertThat(part.firstSlot()).isEqualTo(slot);
            assertThat(part.runs()).hasSizeBetween(1, maxRuns);
            for (RegisterSegment.Run run : part.runs()) {
                assertThat(run.slots()).isPositive();
                for (int i = 0; i < run.slots(); i++) {
                    assertThat(counters[slot++]).isEqualTo(run.counter());
                }
            }
            assertThat(part.last()).isEqualTo(slot == counters.length);
        }
        assertThat(slot).isEqualTo(counters.length);
        assertThat(parts).filteredOn(RegisterSegment.Request::last).hasSize(1);
    }

    @Test
    void theLargestPartFitsIntoAFrame() {
        int[] counters = new int[1 << 18];
        Arrays.setAll(counters, slot -> slot);
        for (RegisterSegment.Request part :
                SegmentReport.of(7, new Counters(counters), SegmentReport.MAX_RUNS)) {
            WireWriter writer = new WireWriter(1024, ProtocolLimits.MAX_CONTROL);
            part.encode(writer);
            assertThat(writer.position()).isLessThan(ProtocolLimits.MAX_CONTROL);
        }
    }
}
