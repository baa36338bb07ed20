// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.authentication.AuthenticationConfig;
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

    /**
     * Servers whose clients have nothing set but the way: everything is as shipped.
     *
     * @param namenode where the namenode listens, {@code HOST:PORT}
     * @param authentication what clients need to be let in
     */
    public static Servers asShipped(
            String namenode, AuthenticationConfig authentication, List<ProcessHandle> processes) {
        return new Servers(
                way ->
                        CrailClient.connect(
                                ClientConfig.builder()
                                        .namenodes(List.of(namenode))
                                        .authentication(authentication)
                                        .clientName("bench-" + ProcessHandle.current().pid())
                                        .sharedMemory(way == Way.LOCAL)
                                        .unixSocket(way == Way.LOCAL)
                                        .build()),
                processes);
    }

    /** A new client, which the caller closes. */
    public CrailClient connect(Way way) throws CrailException {
        return connector.connect(way);
    }
}
