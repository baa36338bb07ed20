// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.KeepAliveCommand;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends Keep Alive three times within the timeout that the controller was told (NVMe Base 2.0,
 * section 3.9). One that is not answered within it ends the association: the controller may have
 * given this host up.
 */
final class KeepAlive {
    private static final int PER_TIMEOUT = 3;

    private final Association association;
    private final long periodNanos;

    KeepAlive(Association association) {
        this.association = association;
        this.periodNanos = association.config().keepAlive().toNanos() / PER_TIMEOUT;
    }

    void start() {
        if (periodNanos > 0 && association.info().keepAliveUnits() > 0) {
            next();
        }
    }

    private void next() {
        association.engine().schedule(periodNanos, this::send);
    }

    private void send() {
        if (association.isEnded()) {
            return;
        }
        CompletableFuture<?> unused =
                association
                        .admin("Keep Alive", DataDirection.NONE, null, KeepAliveCommand::encode)
                        .whenComplete((result, failure) -> answered(failure));
    }

    private void answered(@Nullable Throwable failure) {
        if (failure == null) {
            next();
        } else {
            association.end(
                    new NvmeConnectionLostException(
                            "a keep-alive failed: " + failure.getMessage(), failure));
        }
    }
}
