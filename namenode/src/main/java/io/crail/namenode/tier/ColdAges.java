// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

/**
 * How many bytes are how cold: a histogram over the time since the last use, which finds the age
 * from which on there are as many bytes as are needed. So the coldest are found in two walks over
 * all nodes, in slices, without sorting them.
 *
 * <p>Exact to the second below 8 s, then four steps for each doubling: what is told apart are ages
 * that differ by a fourth. Not thread-safe.
 */
final class ColdAges {
    private static final int EXACT = 8;
    private static final int STEPS = 4;

    /** Of what lies above its class: it goes first, whenever it was used. */
    static final int MISPLACED = EXACT + (31 - 3) * STEPS;

    private final long[] bytes = new long[MISPLACED + 1];
    private long total;

    /** The step of an age in seconds: higher is colder. */
    static int step(int age) {
        if (age < EXACT) {
            return Math.max(0, age);
        }
        int log = 31 - Integer.numberOfLeadingZeros(age);
        return EXACT + (log - 3) * STEPS + ((age >>> (log - 2)) & (STEPS - 1));
    }

    void add(int step, long some) {
        bytes[step] += some;
        total += some;
    }

    /** Bytes of all steps. */
    long total() {
        return total;
    }

    /** The coldest step at and above which there are so many bytes, or the warmest that has any. */
    int coldest(long wanted) {
        long sum = 0;
        int step = MISPLACED + 1;
        while (step > 0 && sum < wanted) {
            step--;
            sum += bytes[step];
        }
        return step;
    }

    /** Bytes that are colder than a step. */
    long above(int step) {
        long sum = 0;
        for (int i = step + 1; i < bytes.length; i++) {
            sum += bytes[i];
        }
        return sum;
    }
}
