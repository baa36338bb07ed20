// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.OwnerRecord;
import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;

/**
 * The owner record of a namespace, as one life of a storage server keeps it. Looked at by any
 * thread, written by one at a time.
 */
final class OwnerEntry {
    private final RemoteMedium medium;
    private final UUID life = UUID.randomUUID();
    private final ByteBuffer unit = DataPool.aligned(FlashLayout.UNIT);
    private long beat;

    OwnerEntry(RemoteMedium medium) {
        this.medium = medium;
    }

    /** What is in the record. */
    static Optional<OwnerRecord> read(RemoteMedium medium) throws IOException {
        ByteBuffer found = DataPool.aligned(FlashLayout.UNIT);
        medium.read(OwnerRecord.OFFSET, found);
        return OwnerRecord.decode(found);
    }

    void write(long epoch, boolean released) throws IOException {
        beat++;
        new OwnerRecord(life, epoch, beat, released).encode(unit);
        medium.write(OwnerRecord.OFFSET, unit.clear());
    }

    /**
     * Looks whether the namespace is this life's still.
     *
     * @throws InvalidArgumentException if another one has taken it
     */
    void check() throws IOException {
        Optional<OwnerRecord> found = read(medium);
        if (found.isPresent() && !found.get().life().equals(life)) {
            throw Ownership.takenByAnotherLife(medium.name());
        }
    }
}
