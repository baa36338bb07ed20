// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.authentication.AuthenticationConfig;
import java.util.List;

/**
 * The cluster that is measured: servers in processes of their own, as users start them.
 *
 * @param namenode where its namenode listens, {@code HOST:PORT}
 * @param authentication what clients need to be let in
 * @param processes namenode and storage servers
 */
public record Servers(
        String namenode, AuthenticationConfig authentication, List<ProcessHandle> processes) {
    public Servers {
        processes = List.copyOf(processes);
    }

    /** Which way a client goes; everything else is as shipped. */
    enum Way {
        /** As clients on this host find out by themselves. */
        LOCAL,
        /** Network sockets for all, as clients on other hosts. */
        TCP
    }

    /** A new client, which the caller closes. */
    CrailClient connect(Way way) throws CrailException {
        boolean local = way == Way.LOCAL;
        return CrailClient.connect(
                ClientConfig.builder()
                        .namenodes(List.of(namenode))
                        .authentication(authentication)
                        .clientName("bench-" + ProcessHandle.current().pid())
                        .sharedMemory(local)
                        .unixSocket(local)
                        .build());
    }
}
