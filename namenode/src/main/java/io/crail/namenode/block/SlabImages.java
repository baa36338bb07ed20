// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * Slabs as snapshots have them: each as it was when the snapshot began. Not thread-safe: owned by
 * the engine thread.
 */
public final class SlabImages {
    private final ServerDirectory servers;
    private final PreImages preImages;

    SlabImages(ServerDirectory servers, PreImages preImages) {
        this.servers = servers;
        this.preImages = preImages;
    }

    /**
     * From now on {@code hook} is told of every slab, before its first change, that {@link #encode}
     * has not been asked for. Segments that are added later are not part of it.
     */
    public void begin(BeforeChange hook) {
        preImages.begin(hook);
    }

    public void end() {
        preImages.end();
    }

    /**
     * Writes a slab, at most 2 KiB, unless it is as new, or this snapshot has it already.
     *
     * @return whether anything was written
     */
    public boolean encode(int server, int segment, int slab, WireWriter writer) {
        Slab target = servers.segment(server, segment).slabs[slab];
        if (preImages.seen(target) || target.isPristine()) {
            return false;
        }
        SlabCodec.encode(target, writer);
        return true;
    }

    /**
     * Reads a slab into a segment that has just been added. After a failure the map is incomplete
     * and must not be used.
     */
    public void decode(WireReader reader) throws ProtocolException {
        int end = reader.beginRecord();
        int server = reader.i32();
        int segment = reader.i32();
        int incarnation = reader.i32();
        int index = reader.length32();
        StorageServer owner = servers.find(server);
        Segment target = owner == null ? null : owner.segment(segment);
        if (target == null || target.incarnation != incarnation || index >= target.slabs.length) {
            throw new ProtocolException(
                    "slab "
                            + index
                            + " of segment "
                            + segment
                            + " of server "
                            + server
                            + " is of no known segment");
        }
        SlabCodec.decode(target.slabs[index], reader);
        reader.endRecord(end);
    }
}
