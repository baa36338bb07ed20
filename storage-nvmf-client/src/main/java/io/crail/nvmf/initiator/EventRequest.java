// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.Command;
import io.crail.nvmf.wire.command.AsyncEvent;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asynchronous Event Request: answered when there is an event to tell, perhaps never (NVMe Base
 * 2.0, section 5.2). One that a controller refuses is not repeated.
 */
final class EventRequest extends Command {
    private static final Logger LOG = LoggerFactory.getLogger(EventRequest.class);

    private final IntConsumer onEvent;

    /**
     * @param onEvent gets DW0 of the answer; must not block
     */
    EventRequest(IntConsumer onEvent) {
        super(DataDirection.NONE, null);
        this.onEvent = onEvent;
    }

    @Override
    public String what() {
        return "Asynchronous Event Request";
    }

    @Override
    public boolean waitsForEvents() {
        return true;
    }

    @Override
    protected void encode(ByteBuffer buffer, int at, int commandId) {
        AsyncEvent.encodeRequest(buffer, at, commandId);
    }

    @Override
    protected void completed(long result, int status) {
        if (Status.isSuccess(status)) {
            onEvent.accept((int) result);
        } else {
            LOG.debug(
                    "The controller tells of no events: {}",
                    Status.describe(status, StatusCode.Scope.FABRICS));
        }
    }

    @Override
    protected void failed(NvmeException cause, boolean mayHaveRun) {
        LOG.trace("No event comes any more", cause);
    }
}
