// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.error.InvalidArgumentException;
import java.time.Duration;

/**
 * How long a row takes, whatever the machine can do.
 *
 * @param batches of the limit and of crail, in turn
 * @param batch time of each
 */
public record Pace(int batches, Duration batch) {
    /** To see that it works: figures of so little are worth little. */
    public static final Pace QUICK = new Pace(2, Duration.ofMillis(30));

    private static final int BATCHES = 5;
    private static final int WARM_UP = 2;
    private static final double SHORTEST = 0.1;
    private static final double LONGEST = 300;

    /** As long batches, only as many as compilers need. */
    Pace warmUp() {
        return new Pace(WARM_UP, batch);
    }

    /**
     * Shares a time among batches; one of each is to warm up.
     *
     * @param seconds for a row
     * @throws InvalidArgumentException if the time is too short to tell anything, or longer than
     *     anybody wants
     */
    public static Pace of(double seconds) throws InvalidArgumentException {
        if (!(seconds >= SHORTEST && seconds <= LONGEST)) {
            throw new InvalidArgumentException(
                    "--seconds " + seconds + ": must be within " + SHORTEST + ".." + LONGEST);
        }
        return new Pace(BATCHES, Duration.ofNanos((long) (seconds * 1e9 / (2 * BATCHES + 2))));
    }
}
