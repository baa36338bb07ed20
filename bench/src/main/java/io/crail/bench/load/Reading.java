// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.client.CrailFile;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Reads of one file into buffers of their own. One thread uses it. */
final class Reading {
    private final CrailFile file;
    private final DataSpec.Positions positions;
    private final ByteBuffer[] buffers;

    Reading(CrailFile file, DataSpec spec) {
        this.file = file;
        this.positions = new DataSpec.Positions(spec, spec.pieces());
        this.buffers = Buffers.full(spec.depth(), spec.size());
    }

    Work work() {
        return buffers.length > 1
                ? Work.pipelined(buffers.length, this::begin)
                : Work.blocking(
                        () -> {
                            file.readFully(positions.next(), buffers[0].clear());
                            return true;
                        });
    }

    private CompletableFuture<?> begin(int slot) throws IOException {
        // The read that used this buffer before has ended.
        if (buffers[slot].hasRemaining()) {
            throw new InternalException("read " + file.path() + ": it was a short one");
        }
        return file.readAsync(positions.next(), buffers[slot].clear());
    }
}
