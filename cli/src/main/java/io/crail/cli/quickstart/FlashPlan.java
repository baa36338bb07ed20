// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.cluster.FlashDirectory;
import io.crail.client.local.LocalFlash;
import io.crail.protocol.config.ByteSize;
import java.util.Optional;

/**
 * How large the flash tier is, and what is written to it.
 *
 * @param flash empty if the disk has no room
 * @param file bytes of the file that is written there
 * @param message what to tell about it, if it is less than was asked for
 */
record FlashPlan(Optional<LocalFlash> flash, long file, Optional<String> message) {
    /** What goes there since memory is full. */
    static final long OVERFLOW = 32L << 20;

    private static final long MIB = 1L << 20;
    private static final long LARGEST_FILE = 128 * MIB;
    private static final long SMALLEST_FILE = MIB;

    /** Room for blocks that are granted ahead, and for memory that is free in small pieces. */
    private static final long SLACK = 96 * MIB;

    /**
     * A plan.
     *
     * @param wanted bytes of the generated file in memory: that on flash is no larger
     */
    static FlashPlan of(ByteSize wanted, FlashDirectory place) {
        long most = Math.min(wanted.bytes(), LARGEST_FILE);
        long least = Math.min(most, SMALLEST_FILE);
        Optional<LocalFlash> flash = place.upTo(new ByteSize(size(most)), size(least));
        if (flash.isEmpty()) {
            return new FlashPlan(flash, 0, Optional.of(shortage(place) + "there is no flash tier"));
        }
        long file = Math.min(most, file(flash.get().size().bytes()));
        return new FlashPlan(
                flash,
                file,
                file == most
                        ? Optional.empty()
                        : Optional.of(
                                shortage(place)
                                        + "the file on flash is "
                                        + new ByteSize(file).rounded()
                                        + " instead of "
                                        + new ByteSize(most).rounded()));
    }

    private static String shortage(FlashDirectory place) {
        return "the disk of "
                + place.path().getParent()
                + " is short of space ("
                + new ByteSize(place.usable()).rounded()
                + " free): ";
    }

    /** Bytes of the image that has room for a file: a sixteenth and a little more is checksums. */
    private static long size(long file) {
        long data = file + OVERFLOW + SLACK;
        return data + data / 8 + 2 * MIB;
    }

    /** The other way round; less, by what is rounded, rather than more. */
    private static long file(long size) {
        return (size - MIB) / 9 * 8 - OVERFLOW - SLACK;
    }
}
