// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import java.util.List;

/**
 * The cluster that is measured: servers in processes of their own, as users start them.
 *
 * @param connector makes clients
 * @param processes namenode and storage servers; empty if they are not known
 */
public record Servers(Connector connector, List<ProcessHandle> processes) {
    public Servers {
        processes = List.copyOf(processes);
    }

    /** Which way a client goes. */
    public enum Way {
        /** Through memory and Unix sockets of this host. */
        LOCAL,
        /** Network sockets for all, as clients on other hosts. */
        TCP
    }

    /** Makes clients. */
    @FunctionalInterface
    public interface Connector {
        /** A new client that goes that way, which the caller closes. */
        CrailClient connect(Way way) throws CrailException;
    }

    /** A new client, which the caller closes. */
    public CrailClient connect(Way way) throws CrailException {
        return connector.connect(way);
    }
}
