// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.LongSupplier;

/** A client without threads, on a network and a clock of the test's. */
public final class DrivenClient {
    private final ConnectedClient client;

    private DrivenClient(ConnectedClient client) {
        this.client = client;
    }

    /** Begins to connect; does not wait. */
    public static DrivenClient begin(
            ClientConfig.Builder config, LongSupplier clock, SelectorProvider network, long seed)
            throws CrailException {
        Surroundings machine =
                new Surroundings(clock, network::openSocketChannel, network, () -> seed, false);
        return new DrivenClient(
                ConnectedClient.begin(config.surroundings(machine).sharedMemory(false).build()));
    }

    /** Asynchronous calls only: nobody would do the work of one that waits. */
    public CrailClient client() {
        return client;
    }

    /** One turn of everything; says in how many nanoseconds it wants the next one. */
    public long turn() {
        return client.core().engine().turn();
    }
}
