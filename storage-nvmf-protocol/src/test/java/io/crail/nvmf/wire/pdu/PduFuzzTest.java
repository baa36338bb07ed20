// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The long run of {@link PduRoundTripTest}'s bytes at random. */
@Tag("faults")
class PduFuzzTest {
    @Test
    void decoderUnderstandsOrRefusesAnything() {
        long seconds = Long.getLong("crail.fuzz.seconds", 20);
        long seed = Long.getLong("crail.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        long start = System.nanoTime();
        long rounds = 0;
        while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds)) {
            PduFraming framing =
                    new PduFraming(
                            random.nextBoolean(),
                            random.nextBoolean(),
                            PduFraming.alignmentOf(random.nextInt(32)));
            long each = random.nextLong();
            try {
                PduRoundTripTest.checkAnything(
                        framing,
                        each,
                        random.nextBoolean() ? PduType.Sender.HOST : PduType.Sender.CONTROLLER);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(framing + ", bytes of seed " + each, e);
            }
            rounds++;
        }
        if (rounds == 0) {
            throw new AssertionError("no round within " + seconds + " s");
        }
    }
}
