// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class SpellingTest {
    @Property(tries = 200)
    void distanceIsSymmetricAndBounded(
            @ForAll @StringLength(max = 12) String a, @ForAll @StringLength(max = 12) String b) {
        int distance = Spelling.distance(a, b);
        assertThat(distance).isEqualTo(Spelling.distance(b, a));
        assertThat(distance == 0).isEqualTo(a.equals(b));
        assertThat(distance).isLessThanOrEqualTo(Math.max(a.length(), b.length()));
        assertThat(distance).isGreaterThanOrEqualTo(Math.abs(a.length() - b.length()));
    }

    @Test
    void swappedNeighboursAreOneMistake() {
        assertThat(Spelling.distance("sl", "ls")).isEqualTo(1);
        assertThat(Spelling.nearest("sl", List.of("df", "rm", "ls"))).contains("ls");
    }

    @Test
    void theNearestWordIsFound() {
        assertThat(Spelling.nearest("capacty", List.of("dir", "capacity", "class")))
                .contains("capacity");
    }

    @Test
    void nothingIsSuggestedForSomethingElseAltogether() {
        assertThat(Spelling.nearest("xyzzy", List.of("capacity", "class"))).isEmpty();
    }
}
