// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.namenode.tree.Lifetimes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Half a million values that end at the same time. Figures are printed. */
@Tag("system")
final class ExpiryScaleTest {
    private static final int VALUES = 500_000;

    @TempDir private Path directory;

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void valuesThatAllEndAtOnceGoInSlices() throws IOException {
        try (LocalNamenode namenode = LocalNamenode.start(directory)) {
            TestSession session = namenode.session("many");
            session.table("/t");
            long before = used();
            long start = System.nanoTime();
            for (int i = 0; i < VALUES; i++) {
                session.wire()
                        .ask(
                                TestRequests.putRequest("/t", "key-" + i, 0, 0, 500),
                                TestSession.bytes("v"));
            }
            Lifetimes lifetimes = namenode.engine().state().tree().lifetimes();
            assertThat(lifetimes.size()).isEqualTo(VALUES);
            System.out.printf(
                    "%d puts in %d ms, %d bytes of heap each%n",
                    VALUES, (System.nanoTime() - start) / 1_000_000, (used() - before) / VALUES);
            expire(namenode, lifetimes);
            assertThat(session.summary("/t").keyValues()).isZero();
        }
    }

    private static void expire(LocalNamenode namenode, Lifetimes lifetimes) {
        long start = System.nanoTime();
        long longest = 0;
        int ticks = 0;
        namenode.advance(Duration.ofMillis(600));
        while (lifetimes.size() > 0) {
            long tick = System.nanoTime();
            namenode.tick();
            longest = Math.max(longest, System.nanoTime() - tick);
            ticks++;
        }
        assertThat(ticks).isGreaterThan(1);
        System.out.printf(
                "all gone in %d ms, %d ticks, the longest of %d us%n",
                (System.nanoTime() - start) / 1_000_000, ticks, longest / 1000);
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
