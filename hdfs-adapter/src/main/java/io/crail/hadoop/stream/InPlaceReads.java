// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.stream;

import io.crail.client.CrailFile;
import io.crail.client.CrailView;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockGeometry;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.fs.ReadOption;

/**
 * Reads whose buffers are views: memory of the storage server where that is on this host, else a
 * copy that the view owns. Not thread-safe; the stream is its lock.
 */
final class InPlaceReads {
    private final CrailFile file;
    private final IdentityHashMap<ByteBuffer, CrailView> open = new IdentityHashMap<>();

    InPlaceReads(CrailFile file) {
        this.file = file;
    }

    /**
     * Some bytes from a position, at least one: those of the first block that they lie in.
     *
     * @param length at most so many, more than 0, and no more than the file has
     */
    ByteBuffer read(long position, int length, EnumSet<ReadOption> options) throws CrailException {
        // The blocks of a large file end at multiples of the largest size: to ask for more would
        // hold a block of which nothing is returned.
        long block = BlockGeometry.MAX_BLOCK;
        long within = Math.min(length, block - position % block);
        CrailView view = file.view(position, within, !options.contains(ReadOption.SKIP_CHECKSUMS));
        boolean kept = false;
        try {
            List<ByteBuffer> buffers = view.buffers();
            ByteBuffer first = buffers.get(0);
            open.put(first, view);
            kept = true;
            return first;
        } finally {
            if (!kept) {
                view.close();
            }
        }
    }

    /**
     * Gives a buffer back.
     *
     * @throws IllegalArgumentException if it is none of ours, or was given back before
     */
    void release(ByteBuffer buffer) {
        CrailView view = open.remove(buffer);
        if (view == null) {
            throw new IllegalArgumentException(
                    "tried to release a buffer that was not created by this stream, " + buffer);
        }
        view.close();
    }

    /** Gives back what the caller has forgotten. */
    void close() {
        open.values().forEach(CrailView::close);
        open.clear();
    }
}
