// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.storage.block.Blocks;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.ServiceLimits;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What all connections of a data service share. Thread-safe. */
final class ServiceState {
    final Blocks blocks;
    final ServiceLimits limits;
    final @Nullable LocalAccess local;
    final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    final LongAdder inFlight = new LongAdder();
    final LongAdder bytesRead = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LogLimiter badPeers =
            new LogLimiter(LoggerFactory.getLogger(TcpDataService.class), System::nanoTime);

    private volatile @Nullable Admission admission;

    ServiceState(Blocks blocks, ServiceLimits limits, @Nullable LocalAccess local) {
        this.blocks = blocks;
        this.limits = limits;
        this.local = local;
    }

    /** Null until the first registration; no connection is accepted before it. */
    @Nullable Admission admission() {
        return admission;
    }

    /** The admission, for connections that passed their hello. */
    Admission admitted() {
        return Objects.requireNonNull(admission, "no connection passes before the registration");
    }

    void admit(Admission next) {
        admission = next;
    }
}
