// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.error.ServerLostException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.Attach;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a path has while its control connection stands: the segments mapped so far. A new connection
 * begins anew, because the server may have come back with other files. Thread-safe.
 */
final class Attachment {
    private final UUID cluster;
    private final Attach.Reply reply;
    private final SessionFile session;
    private final Map<Integer, MappedSegment> mapped = new ConcurrentHashMap<>();

    /** Guarded by itself: mappings to give up, a segment's former ones among them. */
    private final List<MappedSegment> held = new ArrayList<>();

    private boolean released;

    Attachment(UUID cluster, Attach.Reply reply, SessionFile session) {
        this.cluster = cluster;
        this.reply = reply;
        this.session = session;
    }

    SessionFile session() {
        return session;
    }

    /** The segment of a block, or null if it has to be mapped first. */
    @Nullable MappedSegment segment(BlockReference block) {
        MappedSegment segment = mapped.get(block.segment());
        return segment != null
                        && segment.incarnation() == Generation.incarnation(block.generation())
                ? segment
                : null;
    }

    /**
     * Maps the segment of a block. May block.
     *
     * @throws StaleReferenceException if the server has no such segment any more
     */
    MappedSegment map(BlockReference block) throws IOException {
        MappedSegment known = segment(block);
        if (known != null) {
            return known;
        }
        MappedSegment segment = SegmentMappings.acquire(cluster, reply, block.segment());
        synchronized (held) {
            if (released) {
                SegmentMappings.release(segment);
                throw new ServerLostException(block + ": the connection broke meanwhile");
            }
            if (held.contains(segment)) {
                SegmentMappings.release(segment);
            } else {
                held.add(segment);
            }
        }
        mapped.put(segment.number(), segment);
        if (segment.incarnation() != Generation.incarnation(block.generation())) {
            throw new StaleReferenceException(
                    block + " belongs to an incarnation of the segment that is gone");
        }
        return segment;
    }

    /** Gives all mappings up. */
    void release() {
        List<MappedSegment> given;
        synchronized (held) {
            released = true;
            given = new ArrayList<>(held);
            held.clear();
        }
        given.forEach(SegmentMappings::release);
    }
}
