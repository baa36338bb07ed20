// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Generation;
import io.crail.protocol.segment.SegmentLayout;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One segment of a server under one incarnation. */
final class Segment {
    /** Records are numbered by positive ints. */
    private static final long MAX_BYTES = (long) Integer.MAX_VALUE << BlockGeometry.SLOT_SHIFT;

    final StorageServer server;
    final int number;
    final int incarnation;
    final long dataBytes;
    final Slab[] slabs;

    /** Whether its server has reported it completely since it was last away: may be allocated. */
    boolean reported;

    /**
     * Whether nobody can hold a grant of it that the log has lost. If not, everything that is not
     * known to be in use is fenced before it is granted.
     */
    boolean fenced = true;

    /** Slabs with {@link Suspects}. */
    int suspectSlabs;

    /** The report has come so far. */
    int reportedSlots;

    /**
     * Granted and committed blocks (by record) whose server reported another counter, with that
     * counter. Normally empty; never stored.
     */
    private final Map<Integer, Integer> mismatches = new HashMap<>();

    Segment(StorageServer server, int number, int incarnation, long dataBytes, int epoch) {
        this.server = server;
        this.number = number;
        this.incarnation = incarnation;
        this.dataBytes = dataBytes;
        // A last, partial slab would complicate everything for less than 1 MiB.
        this.slabs = new Slab[(int) (dataBytes / BlockGeometry.SLAB_SIZE)];
        for (int i = 0; i < slabs.length; i++) {
            slabs[i] = new Slab(this, i, epoch);
        }
    }

    static void checkSize(long dataBytes) throws InvalidArgumentException {
        if (dataBytes < BlockGeometry.SLAB_SIZE || dataBytes > MAX_BYTES) {
            throw new InvalidArgumentException(
                    "segment of "
                            + dataBytes
                            + " bytes, must be from "
                            + BlockGeometry.SLAB_SIZE
                            + " to "
                            + MAX_BYTES);
        }
    }

    int slots() {
        return SegmentLayout.slots(dataBytes);
    }

    long capacity() {
        return (long) slabs.length * BlockGeometry.SLAB_SIZE;
    }

    /** The slab of a record, or null if the record is none of this segment. */
    @Nullable Slab slabOf(int record) {
        int index = record >>> 8;
        return index < slabs.length ? slabs[index] : null;
    }

    static int slotOf(int record) {
        return record & (Slab.SLOTS - 1);
    }

    boolean isMismatched(int record) {
        return !mismatches.isEmpty() && mismatches.containsKey(record);
    }

    int reportedCounter(int record) {
        Integer counter = mismatches.get(record);
        if (counter == null) {
            throw new IllegalStateException("no mismatch at record " + record);
        }
        return counter;
    }

    void setMismatch(int record, int counter) {
        mismatches.put(record, counter);
    }

    void clearMismatch(int record) {
        mismatches.remove(record);
    }

    long generation(Slab slab, int slot) {
        return Generation.of(incarnation, slab.counter(slot));
    }
}
