// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DigestTest {
    @Property
    void eachByteOfTheWholeCounts(@ForAll @Size(min = 1, max = 40) byte[] bytes, @ForAll int at) {
        byte[] other = bytes.clone();
        other[Math.floorMod(at, other.length)]++;
        assertThat(Digest.of(other, true)).isNotEqualTo(Digest.of(bytes, true));
    }

    @Property
    void keyAndValueCannotChangePlaces(@ForAll long key, @ForAll long value) {
        Assume.that(key != value);
        assertThat(Digest.of(key, value)).isNotEqualTo(Digest.of(value, key));
    }

    @Test
    void aGlanceSeesLengthAndBeginning() {
        byte[] bytes = new byte[100];
        long digest = Digest.of(bytes, false);
        assertThat(Digest.of(new byte[101], false)).isNotEqualTo(digest);
        bytes[3] = 1;
        assertThat(Digest.of(bytes, false)).isNotEqualTo(digest);
        assertThat(Digest.of(new byte[3], false)).isNotEqualTo(Digest.of(new byte[4], false));
    }
}
