// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.cluster.FlashDirectory;
import io.crail.protocol.config.ByteSize;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FlashPlanTest {
    private static final long MIB = 1L << 20;
    private static final ByteSize LARGE = new ByteSize(1024 * MIB);

    private static FlashPlan plan(ByteSize wanted, long usable) {
        return FlashPlan.of(wanted, new FlashDirectory(Path.of("/disk/x"), usable));
    }

    @Test
    void aLargeDiskHasRoomForTheFileAndForWhatMemoryHasNoRoomFor() {
        FlashPlan plan = plan(LARGE, 100_000 * MIB);
        assertThat(plan.file()).isEqualTo(128 * MIB);
        assertThat(plan.message()).isEmpty();
        assertThat(plan.flash().orElseThrow().directory()).isEqualTo(Path.of("/disk/x"));
        assertThat(plan.flash().orElseThrow().size().bytes())
                .isGreaterThan((plan.file() + FlashPlan.OVERFLOW) * 17 / 16)
                .isLessThan(512 * MIB);
    }

    @Test
    void aSmallFileNeedsASmallTier() {
        FlashPlan plan = plan(new ByteSize(1000), 100_000 * MIB);
        assertThat(plan.file()).isEqualTo(1000);
        assertThat(plan.flash().orElseThrow().size().bytes()).isLessThan(256 * MIB);
    }

    @Test
    void onADiskThatIsNearlyFullTheFileIsSmallerAndItSaysSo() {
        FlashPlan plan = plan(LARGE, 300 * MIB);
        assertThat(plan.file()).isBetween(MIB, 100 * MIB);
        assertThat(plan.flash().orElseThrow().size().bytes()).isLessThan(300 * MIB);
        assertThat(plan.message().orElseThrow()).contains("/disk", "300 MiB", "128 MiB");
    }

    @Test
    void withoutRoomThereIsNoFlashTierAndItSaysSo() {
        FlashPlan plan = plan(LARGE, 50 * MIB);
        assertThat(plan.flash()).isEmpty();
        assertThat(plan.message().orElseThrow()).contains("no flash tier", "50 MiB");
    }
}
