// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.namenode.block.BlockMap;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/**
 * Writes block references, sealed for the session that asked. No object per reference: an answer
 * carries up to 64 of them.
 */
public final class References {
    private static final int TENANT = 0;

    private final Servers servers;
    private final BlockMap blocks;

    References(Servers servers, BlockMap blocks) {
        this.servers = servers;
        this.blocks = blocks;
    }

    /** A list field of references to granted blocks, for writing. */
    public void grants(WireWriter writer, long session, List<GrantedBlock> grants) {
        writer.u16(grants.size()).u16(BlockReference.WIRE_SIZE);
        for (GrantedBlock grant : grants) {
            reference(
                    writer,
                    session,
                    grant.id().server(),
                    grant.id().segment(),
                    grant.id().record(),
                    grant.length(),
                    grant.generation(),
                    BlockReference.READ | BlockReference.WRITE);
        }
    }

    /** A list field of extents from index {@code first} on, at most 64, for reading. */
    public void extents(WireWriter writer, long session, ExtentList list, int first) {
        extents(writer, session, list, first, ProtocolLimits.MAX_REFERENCES);
    }

    public void extents(WireWriter writer, long session, ExtentList list, int first, int limit) {
        int count = Math.max(0, Math.min(list.count() - first, limit));
        writer.u16(count).u16(Extent.WIRE_SIZE);
        for (int i = first; i < first + count; i++) {
            extent(writer, session, list, i, BlockReference.READ);
        }
    }

    /** A list field with the last extent, for writing, if a new writer may continue its block. */
    void lastExtent(WireWriter writer, long session, FileNode file) {
        ExtentList list = file.extents();
        int last = list.count() - 1;
        boolean continues =
                last >= 0
                        && !file.isSealed()
                        && list.length(last) < list.blockLength(last)
                        && !isLost(list, last);
        writer.u16(continues ? 1 : 0).u16(Extent.WIRE_SIZE);
        if (continues) {
            extent(writer, session, list, last, BlockReference.READ | BlockReference.WRITE);
        }
    }

    private boolean isLost(ExtentList list, int index) {
        return blocks.isLost(
                list.server(index),
                list.segment(index),
                list.record(index),
                list.generation(index));
    }

    /** One extent, for reading. */
    public void extent(WireWriter writer, long session, ExtentList list, int index) {
        extent(writer, session, list, index, BlockReference.READ);
    }

    private void extent(WireWriter writer, long session, ExtentList list, int index, int rights) {
        writer.i64(list.offset(index)).i32(list.length(index)).i32(list.tailCrc(index));
        writer.u8(Extent.LAYOUT_SINGLE).u8(1).u16(0).i32(0);
        reference(
                writer,
                session,
                list.server(index),
                list.segment(index),
                list.record(index),
                list.blockLength(index),
                list.generation(index),
                isLost(list, index) ? BlockReference.LOST : rights);
    }

    private void reference(
            WireWriter writer,
            long session,
            int server,
            int segment,
            int record,
            int length,
            long generation,
            int rights) {
        long offset = (long) record << BlockGeometry.SLOT_SHIFT;
        long key =
                servers.seal(server)
                        .block(
                                session,
                                TENANT,
                                server,
                                segment,
                                offset,
                                length,
                                record,
                                generation,
                                rights);
        writer.i32(server).i32(segment).i64(offset).i32(length).i32(record);
        writer.i64(generation).i64(key).i64(rights);
    }

    /** What lets a session connect to a server. */
    public long ticket(long session, int server) {
        return servers.seal(server).ticket(session, TENANT, server);
    }

    /** What lets a session that may check the cluster ask a server about its blocks. */
    public long permit(long session, int server) {
        return servers.seal(server).audit(session, TENANT, server);
    }
}
