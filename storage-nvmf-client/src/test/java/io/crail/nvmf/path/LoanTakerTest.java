// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.BlockTransfer;
import io.crail.error.CrailException;
import io.crail.nvmf.initiator.queue.KeptPart;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Data that stays in shared memory belongs to the read, or goes back at once. */
class LoanTakerTest {
    private static final int LENGTH = 4096;

    private static final class LendingRead extends BlockTransfer.Read {
        private final List<BlockLoan> loans = new ArrayList<>();

        LendingRead(ByteBuffer target) {
            super(
                    new BlockReference(1, 0, 0, LENGTH, 0, 7, 9, BlockReference.READ),
                    0,
                    target,
                    false);
        }

        @Override
        public int remainingMillis() {
            return 1000;
        }

        @Override
        public boolean takesLoan() {
            return true;
        }

        @Override
        public void lent(BlockLoan loan) {
            loans.add(loan);
        }

        @Override
        public void declined(CrailException why) {
            throw new AssertionError(why);
        }

        @Override
        public void completed(int[] storedChecksums) {}

        @Override
        public void failed(CrailException cause) {
            throw new AssertionError(cause);
        }
    }

    private final ByteBuffer target = ByteBuffer.allocateDirect(LENGTH);
    private final LendingRead read = new LendingRead(target);
    private final ReadJob job = new ReadJob(read, ended -> {});
    private final LoanTaker taker = new LoanTaker(job, read);
    private final List<String> givenBack = new ArrayList<>();

    private KeptPart part() {
        ByteBuffer data = ByteBuffer.allocateDirect(LENGTH).put(0, (byte) 3).asReadOnlyBuffer();
        return new KeptPart((at, units) -> givenBack.add(at + "+" + units), data, 65_536, 2);
    }

    @Test
    void whatStaysIsTheReadsUntilItGivesItBackOnce() {
        taker.keep(part());
        assertThat(read.loans).hasSize(1);
        BlockLoan loan = read.loans.get(0);
        assertThat(loan.data().get()).isEqualTo((byte) 3);
        assertThat(loan.data().remaining()).as("whoever looked").isEqualTo(LENGTH);
        assertThat(givenBack).isEmpty();
        loan.close();
        loan.close();
        assertThat(givenBack).containsExactly("65536+2");
    }

    @Test
    void whatComesAfterACancelGoesBackAtOnceAndTouchesNoBuffer() {
        job.cancel();
        taker.keep(part());
        assertThat(read.loans).isEmpty();
        assertThat(givenBack).containsExactly("65536+2");
        taker.take(ByteBuffer.allocateDirect(LENGTH).put(0, (byte) 5), 0);
        assertThat(target.get(0)).isZero();
    }
}
