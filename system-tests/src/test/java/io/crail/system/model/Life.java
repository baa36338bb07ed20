// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import java.time.Duration;

/**
 * Something with an end that is known within bounds: it must be seen by whoever has looked before
 * the earliest end, and must not be seen by whoever begins to look after the latest. All times are
 * nanoseconds of one clock, that of the test, which runs on the namenode's host.
 *
 * @param content what it holds
 * @param earliest it lives at least until then
 * @param latest it is gone by then
 */
record Life(byte[] content, long earliest, long latest) {
    static final long NEVER = Long.MAX_VALUE / 4;

    /** How late an end may come when nothing is killed; about 0.1 s without load. */
    private static final long TOLERANCE = Duration.ofSeconds(10).toNanos();

    /** What a crash of the namenode may add: docs/concepts.md, How long nodes live. */
    private static final long CRASH = Duration.ofSeconds(10).toNanos();

    static Life endless(byte[] content) {
        return new Life(content, NEVER, NEVER);
    }

    /** A life that began, or was renewed, between two times; zero = without an end. */
    static Life of(byte[] content, Duration lifetime, long begin, long end) {
        return lifetime.isZero()
                ? endless(content)
                : new Life(
                        content, begin + lifetime.toNanos(), end + lifetime.toNanos() + TOLERANCE);
    }

    /** It may have ended any time, and must have some time after now. */
    Life endingWithin(Duration time, long now) {
        return new Life(content, 0, now + time.toNanos() + TOLERANCE);
    }

    /** The namenode did not run for some time, and gave everybody a period more. */
    Life afterCrash(long down, Duration more) {
        return latest == NEVER
                ? this
                : new Life(content, earliest, latest + down + CRASH + more.toNanos());
    }

    /** Whether somebody who has looked until then may have missed it. */
    boolean mayBeGone(long end) {
        return end >= earliest;
    }

    /** Whether somebody who began to look then may have seen it. */
    boolean mayBeSeen(long begin) {
        return begin <= latest;
    }
}
