// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BlockTransfer;
import io.crail.nvmf.initiator.queue.DataTaker;
import io.crail.nvmf.initiator.queue.KeptPart;
import java.nio.ByteBuffer;

/**
 * Lends the bytes of a read where they are, or has checksums made while they are copied, as with
 * mapped memory. Of a job that was called off it takes nothing.
 */
final class LoanTaker implements DataTaker {
    private final FlashJob job;
    private final BlockTransfer.Read read;

    /**
     * @param job the read's
     */
    LoanTaker(FlashJob job, BlockTransfer.Read read) {
        this.job = job;
        this.read = read;
    }

    @Override
    public void take(ByteBuffer memory, int at) {
        boolean unused = job.withBuffer(() -> read.copyFrom(memory, at));
    }

    @Override
    public boolean keeps() {
        return read.takesLoan();
    }

    @Override
    public void keep(KeptPart part) {
        if (!job.withBuffer(() -> read.lent(new KeptLoan(part)))) {
            part.close();
        }
    }
}
