// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.client.ClientConfig;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Builds the configuration of the client from values by key. */
public final class ClientConfigurations {
    private ClientConfigurations() {}

    /**
     * The configuration of a client.
     *
     * @param values the values
     * @param namenodes where to connect
     * @param name name of the client on status pages
     * @throws InvalidArgumentException if the client refuses a value
     */
    public static ClientConfig of(Configuration values, List<Endpoint> namenodes, String name)
            throws InvalidArgumentException {
        return of(values, namenodes, name, values.get(ClientKeys.DEADLINE));
    }

    /** As {@link #of(Configuration, List, String)}, with another deadline. */
    static ClientConfig of(
            Configuration values, List<Endpoint> namenodes, String name, Duration deadline)
            throws InvalidArgumentException {
        return build(values, namenodes, name, builder -> builder.deadline(deadline));
    }

    /**
     * As {@link #of(Configuration, List, String)}, for a client that shall go one way.
     *
     * @param local whether through memory and Unix sockets of this host, or never
     */
    public static ClientConfig oneWay(
            Configuration values, List<Endpoint> namenodes, String name, boolean local)
            throws InvalidArgumentException {
        return build(
                values, namenodes, name, builder -> builder.sharedMemory(local).unixSocket(local));
    }

    private static ClientConfig build(
            Configuration values,
            List<Endpoint> namenodes,
            String name,
            UnaryOperator<ClientConfig.Builder> last)
            throws InvalidArgumentException {
        ClientConfig.Builder builder =
                ClientConfig.builder(values)
                        .namenodes(namenodes.stream().map(Endpoint::toString).toList())
                        .clientName(name + "-" + ProcessHandle.current().pid());
        try {
            return last.apply(builder).build();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("configuration of the client: " + e.getMessage(), e);
        }
    }
}
