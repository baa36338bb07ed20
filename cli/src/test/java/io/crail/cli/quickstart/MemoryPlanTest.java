// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.cli.cluster.DataDirectory;
import io.crail.cli.cluster.MachineMemory;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {
    private static final long GIB = 1L << 30;
    private static final ByteSize WANTED = new ByteSize(GIB);
    private static final SourceTree TREE =
            new SourceTree(Path.of("/x"), List.of(), List.of(), 10 << 20);

    @Test
    void withEnoughMemoryTheFileIsAsLargeAsWanted() throws Exception {
        MemoryPlan plan = MemoryPlan.of(WANTED, TREE, new MachineMemory(8 * GIB, 4 * GIB));
        assertThat(plan.file()).isEqualTo(GIB);
        assertThat(plan.message()).isEmpty();
        assertThat(plan.multiFile()).isEqualTo(GIB / 2);
        assertThat(plan.capacity().bytes() * MemoryPlan.SERVERS)
                .isGreaterThanOrEqualTo(MemoryPlan.wanted(WANTED, TREE))
                .isGreaterThan(GIB + GIB / 2 + TREE.bytes() + StreamStep.BYTES);
    }

    @Test
    void theSmallerOfMemoryAndRoomLimitsTheFile() throws Exception {
        MemoryPlan little = MemoryPlan.of(WANTED, TREE, new MachineMemory(GIB * 5 / 4, 4 * GIB));
        MemoryPlan shared = MemoryPlan.of(WANTED, TREE, new MachineMemory(8 * GIB, GIB / 2));
        for (MemoryPlan plan : List.of(little, shared)) {
            assertThat(plan.file()).isPositive().isLessThan(GIB / 2);
            assertThat(plan.message().orElseThrow())
                    .contains("memory is short")
                    .contains("1.0 GiB");
            assertThat(MultiFileStep.total(plan.multiFile())).isLessThanOrEqualTo(plan.file());
        }
        assertThat(shared.capacity().bytes() * MemoryPlan.SERVERS).isLessThan(GIB / 2);
    }

    @Test
    void withoutRoomForTheTreeItIsRefused() {
        assertThatThrownBy(() -> MemoryPlan.of(WANTED, TREE, new MachineMemory(8 * GIB, 1 << 20)))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("--tree");
    }

    @Test
    void aSmallFileIsAllowed() throws Exception {
        MemoryPlan plan =
                MemoryPlan.of(new ByteSize(1000), TREE, new MachineMemory(8 * GIB, 4 * GIB));
        assertThat(plan.file()).isEqualTo(1000);
    }

    @Test
    void theAvailableMemoryIsReadFromTheKernelsTable() throws IOException {
        assertThat(MachineMemory.available(List.of("MemTotal: 2 kB", "MemAvailable:    1024 kB")))
                .isEqualTo(1 << 20);
        assertThat(MachineMemory.now(new DataDirectory(Path.of("/"), true, false, 1)).available())
                .isPositive();
    }
}
