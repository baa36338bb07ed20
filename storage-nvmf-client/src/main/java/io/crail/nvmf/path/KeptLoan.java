// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BlockLoan;
import io.crail.nvmf.initiator.queue.KeptPart;
import java.nio.ByteBuffer;

/**
 * Bytes of a block as they were when they were read, where the target has put them. The block may
 * be freed, and its server be lost, while they are looked at. Thread-safe.
 */
record KeptLoan(KeptPart part) implements BlockLoan {
    private static final int[] NONE = {};

    @Override
    public ByteBuffer data() {
        return part.data().duplicate();
    }

    @Override
    public int[] storedChecksums() {
        return NONE;
    }

    @Override
    public void close() {
        part.close();
    }
}
