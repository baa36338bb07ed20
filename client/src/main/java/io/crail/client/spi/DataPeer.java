// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import io.crail.protocol.authentication.Credentials;
import java.util.UUID;

/**
 * A storage server as seen by one session.
 *
 * @param server id of the server
 * @param host host name or address literal of the endpoint; a directory for shared memory
 * @param port port of the endpoint, 0 if it has none
 * @param cluster cluster id to insist on
 * @param session id of the session
 * @param ticket lets the session connect to this server; a secret
 * @param epoch highest epoch of the namenode seen
 * @param clientName name of the client, for the server's log
 * @param credentials what is shown to the server, if anything
 * @param connections connections to use, for transports that have such
 * @param storageClass rank of the server's tier
 */
public record DataPeer(
        int server,
        String host,
        int port,
        UUID cluster,
        long session,
        long ticket,
        long epoch,
        String clientName,
        Credentials credentials,
        int connections,
        int storageClass) {
    /** Of a server whose rank is 0, or does not matter. */
    public DataPeer(
            int server,
            String host,
            int port,
            UUID cluster,
            long session,
            long ticket,
            long epoch,
            String clientName,
            Credentials credentials,
            int connections) {
        this(
                server,
                host,
                port,
                cluster,
                session,
                ticket,
                epoch,
                clientName,
                credentials,
                connections,
                0);
    }

    /** For messages: secrets are left out. */
    @Override
    public String toString() {
        return "storage server " + server + " (" + host + (port == 0 ? "" : ":" + port) + ")";
    }
}
