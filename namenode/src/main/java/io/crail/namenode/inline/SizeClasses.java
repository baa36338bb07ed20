// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.inline;

/**
 * Sizes of chunks: steps of 8 bytes up to 512, then eight steps for each doubling, up to 64 KiB. A
 * value wastes less than 8 bytes, or less than an eighth.
 */
final class SizeClasses {
    private static final int FINE_MAX = 512;
    private static final int FINE_CLASSES = FINE_MAX / 8;
    private static final int DOUBLINGS = 7;
    static final int COUNT = FINE_CLASSES + 8 * DOUBLINGS;

    private SizeClasses() {}

    /** The class of the smallest chunk that holds {@code length} bytes, 1 .. 65,536. */
    static int of(int length) {
        if (length <= FINE_MAX) {
            return (length + 7) / 8 - 1;
        }
        int doubling = 31 - Integer.numberOfLeadingZeros(length - 1) - 9;
        int step = (length - 1 - (FINE_MAX << doubling)) >> (doubling + 6);
        return FINE_CLASSES + 8 * doubling + step;
    }

    /** Bytes of a chunk of this class. */
    static int size(int sizeClass) {
        if (sizeClass < FINE_CLASSES) {
            return 8 * (sizeClass + 1);
        }
        int doubling = (sizeClass - FINE_CLASSES) / 8;
        int step = (sizeClass - FINE_CLASSES) % 8;
        return (FINE_MAX << doubling) + ((step + 1) << (doubling + 6));
    }
}
