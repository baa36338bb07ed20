// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.client.spi.LocalTransport;
import io.crail.client.spi.RpcTransportProvider;
import io.crail.protocol.authentication.Credentials;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * What a session is opened with.
 *
 * @param namenodes {@code host:port} each
 * @param transport makes the connections
 * @param local takes its place where a namenode is on this host, if anything does
 * @param clientName name on status pages
 * @param user acting user
 * @param group its group
 * @param locationClass where the client is
 * @param timeoutMillis wanted session timeout, 0 = the namenode's default
 * @param callTimeoutNanos deadline of the session's own calls
 * @param credentials what is shown to the namenode, if anything
 * @param random jitter of pauses
 */
public record SessionSettings(
        List<String> namenodes,
        RpcTransportProvider transport,
        Optional<LocalTransport> local,
        String clientName,
        String user,
        String group,
        String locationClass,
        int timeoutMillis,
        long callTimeoutNanos,
        Credentials credentials,
        RandomGenerator random) {}
