// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.session;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** A block that a writer may fill: granted, not committed. 24 bytes in log and snapshot. */
public record GrantedBlock(BlockId id, int length, long generation) {
    public static final int WIRE_SIZE = 24;

    public void encode(WireWriter writer) {
        id.encode(writer);
        writer.i32(length).i64(generation);
    }

    public static GrantedBlock decode(WireReader reader) throws ProtocolException {
        return new GrantedBlock(BlockId.decode(reader), reader.length32(), reader.i64());
    }
}
