// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.Superblock;
import io.crail.protocol.block.Generation;
import io.crail.storage.block.BlockWords;

/**
 * The generation words of a namespace, which is one segment. Only every 16th of its 4 KiB slots can
 * begin a block and has a counter; the others show the first one for ever. Thread-safe.
 */
final class FlashWords implements BlockWords {
    private static final int SEGMENT = 0;

    private final Superblock superblock;
    private final CounterStore counters;

    FlashWords(Superblock superblock, CounterStore counters) {
        this.superblock = superblock;
        this.counters = counters;
    }

    @Override
    public int number() {
        return SEGMENT;
    }

    @Override
    public int incarnation() {
        return superblock.incarnation();
    }

    @Override
    public long dataBytes() {
        return superblock.layout().dataBytes();
    }

    @Override
    public int slots() {
        return superblock.layout().slots() * FlashLayout.UNITS_PER_SLOT;
    }

    @Override
    public long generation(int slot) {
        int counter =
                beginsBlock(slot)
                        ? counters.counter(FlashLayout.slotOf(slot))
                        : Generation.FIRST_COUNTER;
        return Generation.of(incarnation(), counter);
    }

    @Override
    public void setGeneration(int slot, long generation) {
        checkBegins(slot);
        counters.setCounter(FlashLayout.slotOf(slot), Generation.counter(generation));
    }

    /** Clients write checksums to the namespace; the server does not look at them. */
    @Override
    public int checksum(int slot) {
        return 0;
    }

    @Override
    public void whenKept(int slot, Runnable then) {
        checkBegins(slot);
        counters.keep(FlashLayout.slotOf(slot), then);
    }

    static boolean beginsBlock(int slot) {
        return slot % FlashLayout.UNITS_PER_SLOT == 0;
    }

    private static void checkBegins(int slot) {
        if (!beginsBlock(slot)) {
            throw new IllegalArgumentException("no block of flash begins at record " + slot);
        }
    }
}
