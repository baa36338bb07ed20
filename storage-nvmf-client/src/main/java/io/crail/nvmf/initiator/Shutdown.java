// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.PropertyCommand;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.ControllerStatus;
import io.crail.nvmf.wire.property.Property;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a controller that this host leaves: sets CC.SHN to a normal shutdown and waits until
 * CSTS.SHST says that it is complete (NVMe Base 2.0, section 3.6). A courtesy, and no more: it lets
 * the controller finish and forget the host before the connections end. So it has a bound, and what
 * goes wrong with it is told to nobody but the log. Used by one thread, once.
 */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Association association;
    private final long deadline;

    Shutdown(Association association) {
        this.association = association;
        this.deadline =
                association.engine().nanoTime() + association.config().shutdownTimeout().toNanos();
    }

    /** Returns when it is complete, failed, or took too long. */
    void run() {
        try {
            int leaving =
                    ControllerConfiguration.withShutdown(
                            ControllerConfiguration.enabled(),
                            ControllerConfiguration.SHUTDOWN_NORMAL);
            ask(
                    "Property Set CC",
                    (buffer, at, id) ->
                            PropertyCommand.encodeSet(
                                    buffer,
                                    at,
                                    id,
                                    Property.CC.offset(),
                                    Property.CC.size(),
                                    leaving));
            while (!isComplete() && left() > 0) {
                association.pause(Math.min(POLL_NANOS, left()));
            }
        } catch (NvmeException e) {
            LOG.debug("A controller was not shut down in order", e);
        } catch (InterruptedIOException e) {
            LOG.debug("The shutdown of a controller was interrupted", e);
            Thread.currentThread().interrupt();
        }
    }

    private boolean isComplete() throws NvmeException, InterruptedIOException {
        long status =
                ask(
                        "Property Get CSTS",
                        (buffer, at, id) ->
                                PropertyCommand.encodeGet(
                                        buffer,
                                        at,
                                        id,
                                        Property.CSTS.offset(),
                                        Property.CSTS.size()));
        return ControllerStatus.shutdown((int) status) == ControllerStatus.SHUTDOWN_COMPLETE;
    }

    private long ask(String what, PlainCommand.Encoder encoder)
            throws NvmeException, InterruptedIOException {
        return association
                .admin(what, DataDirection.NONE, null, encoder)
                .await(Math.max(1, left()));
    }

    private long left() {
        return deadline - association.engine().nanoTime();
    }
}
