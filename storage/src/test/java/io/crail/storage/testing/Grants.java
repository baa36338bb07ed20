// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.testing;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.block.GrantSeal;

/** Seals tickets and references as a namenode does, for one server and session. */
public record Grants(byte[] key, int server, long session) {
    private static final int BOTH = BlockReference.READ | BlockReference.WRITE;

    public long ticket() {
        return new GrantSeal(key).ticket(session, 0, server);
    }

    /** What the namenode gives a session that may check the cluster. */
    public long permit() {
        return new GrantSeal(key).audit(session, 0, server);
    }

    /** A block of the first generation with all rights. */
    public BlockReference block(int segment, int record, int length, int incarnation) {
        return block(
                segment,
                record,
                length,
                Generation.of(incarnation, Generation.FIRST_COUNTER),
                BOTH);
    }

    public BlockReference block(int segment, int record, int length, long generation, int rights) {
        long offset = (long) record << BlockGeometry.SLOT_SHIFT;
        return block(segment, offset, record, length, generation, rights);
    }

    public BlockReference block(
            int segment, long offset, int record, int length, long generation, int rights) {
        long seal =
                new GrantSeal(key)
                        .block(
                                session,
                                0,
                                server,
                                segment,
                                offset,
                                length,
                                record,
                                generation,
                                rights);
        return new BlockReference(
                server, segment, offset, length, record, generation, seal, rights);
    }
}
