// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Property
    void aDurationIsInTheFirstBucketThatBoundsIt(
            @ForAll @LongRange(min = 0, max = 20_000_000_000L) long nanos) {
        Latencies latencies = new Latencies();
        latencies.record(nanos);
        int bucket = bucketOf(latencies);
        assertThat(bucket == Latencies.buckets() - 1 || nanos <= Latencies.bound(bucket)).isTrue();
        assertThat(bucket == 0 || nanos > Latencies.bound(bucket - 1)).isTrue();
        assertThat(latencies.sumNanos()).isEqualTo(nanos);
    }

    @Test
    void boundsAreInclusiveAndGoFromAMicrosecondToTenSeconds() {
        assertThat(Latencies.bound(0)).isEqualTo(1_000);
        assertThat(Latencies.bound(Latencies.buckets() - 2)).isEqualTo(10_000_000_000L);
        for (int i = 0; i < Latencies.buckets() - 1; i++) {
            Latencies latencies = new Latencies();
            latencies.record(Latencies.bound(i));
            assertThat(bucketOf(latencies)).isEqualTo(i);
            Latencies above = new Latencies();
            above.record(Latencies.bound(i) + 1);
            assertThat(bucketOf(above)).isEqualTo(i + 1);
        }
    }

    @Test
    void aClockThatWentBackCountsAsNothing() {
        Latencies latencies = new Latencies();
        latencies.record(-5);
        latencies.record(Long.MAX_VALUE);
        assertThat(latencies.count(0)).isEqualTo(1);
        assertThat(latencies.count(Latencies.buckets() - 1)).isEqualTo(1);
        assertThat(latencies.sumNanos()).isEqualTo(Long.MAX_VALUE);
    }

    private static int bucketOf(Latencies latencies) {
        for (int i = 0; i < Latencies.buckets(); i++) {
            if (latencies.count(i) > 0) {
                return i;
            }
        }
        throw new AssertionError("nothing was recorded");
    }
}
