// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.BlocksFreed;
import java.util.List;

/**
 * A storage server reported blocks that nobody can touch any more.
 *
 * @param server server id
 * @param freed blocks with their new generations
 */
public record FreeBlocks(int server, List<BlocksFreed.Freed> freed) implements Mutation {
    static FreeBlocks decode(WireReader reader) throws ProtocolException {
        return new FreeBlocks(reader.i32(), Lists.decode(reader, 20, BlocksFreed.Freed::decode));
    }

    @Override
    public int code() {
        return RecordType.FREED.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i32(server);
        Lists.encode(writer, freed, BlocksFreed.Freed::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        for (BlocksFreed.Freed block : freed) {
            state.blocks()
                    .freed(
                            server,
                            block.segment(),
                            block.record(),
                            block.length(),
                            block.generation());
        }
    }
}
