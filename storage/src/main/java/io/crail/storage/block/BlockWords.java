// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.block;

/**
 * The control data of one segment's slots, wherever the bytes are: what {@link BlockTable} needs to
 * know and to raise. Thread-safe. Numbers out of range throw {@link IndexOutOfBoundsException}.
 */
public interface BlockWords {
    int number();

    int incarnation();

    long dataBytes();

    int slots();

    /** The generation word of a slot, read with volatile semantics. */
    long generation(int slot);

    /** Sets the generation word of a slot, with volatile semantics. */
    void setGeneration(int slot, long generation);

    /** The stored checksum of a slot; 0 where the server does not know it. */
    int checksum(int slot);

    /**
     * Runs {@code then} when the generation word that was set last survives the end of this
     * process: at once, or later in another thread. Never, if it cannot be kept: the block stays as
     * it is, for ever if need be.
     */
    default void whenKept(int slot, Runnable then) {
        then.run();
    }
}
