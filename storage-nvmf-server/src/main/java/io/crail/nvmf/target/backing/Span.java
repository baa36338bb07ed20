// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

/**
 * The whole units of a medium around a range of logical blocks, and where in them the range lies.
 *
 * @param start position of the first unit
 * @param bytes length of all units
 * @param skew where the range begins in them
 * @param length of the range
 */
public record Span(long start, int bytes, int skew, int length) {
    static Span around(long position, int length, int unit) {
        long start = position & -unit;
        long end = position + length + unit - 1 & -unit;
        return new Span(start, (int) (end - start), (int) (position - start), length);
    }

    /** Position of the range. */
    public long position() {
        return start + skew;
    }

    /** Whether it has units of which the range covers a part only. */
    boolean hasEdges() {
        return bytes != length;
    }
}
