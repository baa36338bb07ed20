// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class JobTest {
    @Test
    void aJobIsReadAsItWasWritten() {
        Job job = new Job(Job.GROUP_BY, Map.of("maps", 32, "bytes", 4096));
        assertThat(job.text()).isEqualTo("groupby bytes=4096 maps=32");
        assertThat(Job.parse(job.text())).isEqualTo(job);
        Job without = new Job(Job.EMPTY, Map.of());
        assertThat(Job.parse(without.text())).isEqualTo(without);
    }

    @Test
    void aSizeThatIsMissingIsNamed() {
        assertThatThrownBy(() -> new Job(Job.SORT, Map.of()).size("maps"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maps");
        assertThatThrownBy(() -> Job.parse("sort maps"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Property
    void aRoundIsReadAsItWasWritten(@ForAll long nanos, @ForAll long digest) {
        Round round = new Round(nanos, digest);
        assertThat(Round.parse(round.text())).isEqualTo(round);
    }

    @Test
    void whatIsNoRoundIsRefused() {
        assertThatThrownBy(() -> Round.parse("1")).isInstanceOf(IllegalArgumentException.class);
    }
}
