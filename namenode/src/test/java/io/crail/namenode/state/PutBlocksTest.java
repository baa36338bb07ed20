// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.ProtocolException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log record of a value in blocks. */
final class PutBlocksTest {
    private static PutBlocks record(List<GrantedBlock> grants) {
        return new PutBlocks(
                7,
                new byte[] {1, 2},
                8,
                9,
                10,
                List.of(new CommittedExtent(new BlockId(1, 2, 3), 4096, 0, 5L)),
                List.of(new BlockId(4, 5, 6)),
                grants);
    }

    private static byte[] encoded(PutBlocks record) {
        WireWriter writer = new WireWriter(256, 4096);
        record.encode(writer);
        return Arrays.copyOf(writer.buffer().array(), writer.position());
    }

    @Test
    void aRecordOfANamenodeThatGrantedNothingAheadIsRead() throws ProtocolException {
        byte[] now = encoded(record(List.of()));
        byte[] older = Arrays.copyOf(now, now.length - Integer.BYTES);
        PutBlocks read = PutBlocks.decode(new WireReader(older));
        assertThat(read.grants()).isEmpty();
        assertThat(encoded(read)).isEqualTo(now);
    }

    @Test
    void grantsComeLast() throws ProtocolException {
        List<GrantedBlock> grants = List.of(new GrantedBlock(new BlockId(1, 0, 16), 65_536, 11L));
        PutBlocks read = PutBlocks.decode(new WireReader(encoded(record(grants))));
        assertThat(read.grants()).isEqualTo(grants);
        assertThat(read.returned()).containsExactly(new BlockId(4, 5, 6));
    }
}
