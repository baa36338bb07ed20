// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.limit.Door;
import io.crail.bench.measure.Histogram;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.error.InternalException;
import org.junit.jupiter.api.Test;

/** What processes of one benchmark say to each other. */
class TextTest {
    private static Tally tally(long operations, double perSecond, long time) {
        Histogram times = new Histogram();
        times.add(time);
        return new Tally(operations, perSecond, times);
    }

    @Test
    void aPartIsReadAsItWasWritten() throws InternalException {
        MetadataSpec spec =
                new MetadataSpec(
                        MetadataOperation.LIST_PAGE,
                        Servers.Way.LOCAL,
                        2,
                        3,
                        4,
                        500,
                        60,
                        7,
                        Setting.TWO_CORE);
        for (Door door : new Door[] {new Door(4711, ""), new Door(0, "/tmp/a b/peer")}) {
            MetadataJob job = new MetadataJob(spec, "/bench-1/list-0/d", door, true, 1);
            assertThat(MetadataJob.parse(job.text())).isEqualTo(job);
        }
    }

    @Test
    void aTallyIsReadAsItWasWritten() throws InternalException {
        Tally tally = tally(7, 12.5, 1_000);
        Tally read = Tally.parse(tally.text());
        assertThat(read.operations()).isEqualTo(7);
        assertThat(read.perSecond()).isEqualTo(12.5);
        assertThat(read.times()).hasToString(tally.times().toString());
    }

    @Test
    void clientsThatRunTogetherAddUp() {
        Tally both = tally(7, 12.5, 10).and(tally(5, 2.5, 30));
        assertThat(both.operations()).isEqualTo(12);
        assertThat(both.perSecond()).isEqualTo(15);
        assertThat(both.times().count()).isEqualTo(2);
        assertThat(both.times().quantile(1)).isEqualTo(30);
    }

    @Test
    void nonsenseIsRefused() throws InternalException {
        for (String text : new String[] {"", "1 2", "1 x -", "1 2 3", "1 2 - 4"}) {
            assertThatThrownBy(() -> Tally.parse(text))
                    .as(text)
                    .isInstanceOf(InternalException.class);
        }
        String part = "LOOKUP TCP 1 1 1 10 10 3 FREE /d 4711 true 0 ";
        assertThat(MetadataJob.parse(part).door().port()).isEqualTo(4711);
        assertThatThrownBy(() -> MetadataJob.parse(part.replace("TCP", "UDP")))
                .isInstanceOf(InternalException.class);
        assertThatThrownBy(() -> MetadataJob.parse("LOOKUP TCP"))
                .isInstanceOf(InternalException.class);
    }
}
