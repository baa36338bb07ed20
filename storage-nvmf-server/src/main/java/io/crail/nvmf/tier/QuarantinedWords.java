// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.storage.block.BlockWords;
import java.util.function.LongSupplier;

/** Generation words of which each raised one begins a quarantine when it is kept. Thread-safe. */
final class QuarantinedWords implements BlockWords {
    private final FlashWords words;
    private final Quarantine quarantine;
    private final LongSupplier clock;

    QuarantinedWords(FlashWords words, Quarantine quarantine, LongSupplier clock) {
        this.words = words;
        this.quarantine = quarantine;
        this.clock = clock;
    }

    @Override
    public int number() {
        return words.number();
    }

    @Override
    public int incarnation() {
        return words.incarnation();
    }

    @Override
    public long dataBytes() {
        return words.dataBytes();
    }

    @Override
    public int slots() {
        return words.slots();
    }

    @Override
    public long generation(int slot) {
        return words.generation(slot);
    }

    @Override
    public void setGeneration(int slot, long generation) {
        words.setGeneration(slot, generation);
    }

    @Override
    public int checksum(int slot) {
        return words.checksum(slot);
    }

    @Override
    public void whenKept(int slot, Runnable then) {
        words.whenKept(
                slot,
                () -> {
                    quarantine.enter(slot, clock.getAsLong());
                    then.run();
                });
    }
}
