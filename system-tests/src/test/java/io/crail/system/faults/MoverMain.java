// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.mover.Mover;
import io.crail.mover.MoverConfig;
import java.time.Duration;
import java.util.List;

/** A mover that says when it has moved something, and goes on until it is killed. */
final class MoverMain {
    private static final long BYTES_PER_SECOND = 8 << 20;

    private MoverMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ClientConfig client =
                ClientConfig.builder()
                        .namenodes(List.of(arguments[0]))
                        .sessionTimeout(Duration.ofSeconds(2))
                        .build();
        try (Mover mover = Mover.start(MoverConfig.of(client, 0, BYTES_PER_SECOND))) {
            while (mover.statistics().movedBlocks() == 0) {
                Thread.sleep(5);
            }
            System.out.println("moving");
            Thread.currentThread().join();
        }
    }
}
