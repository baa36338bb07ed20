// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.message.Statistics;
import java.net.URI;

/**
 * A cluster through a client. A status page on loopback is looked for only if its server is on this
 * host; one on all addresses is looked for where the server itself is.
 */
final class ConnectedSource implements Sampler.Source {
    private static final String ELSEWHERE =
            "its status is on loopback of its own host (storage.status.bind.host,"
                    + " namenode.status.bind.host)";

    private final CrailClient client;
    private final String ownName;

    /**
     * @param client with a short deadline
     * @param ownName name of this host
     */
    ConnectedSource(CrailClient client, String ownName) {
        this.client = client;
        this.ownName = ownName;
    }

    @Override
    public Statistics.Reply statistics() throws CrailException {
        return client.statistics();
    }

    @Override
    public Sampler.Target namenode(Statistics.Reply now) {
        String host = namenodeHost();
        return target(now.statusUrl(), host, isLoopback(host));
    }

    @Override
    public Sampler.Target server(Statistics.Reply now, Statistics.ServerCapacity server) {
        return target(server.statusUrl(), server.host(), isHere(server.host()));
    }

    private String namenodeHost() {
        String route = client.clientStatistics().namenode();
        return route.startsWith("/") ? "127.0.0.1" : hostOf(route);
    }

    /**
     * The name of a server's host is what its operator called it. Where the namenode is on this
     * host, servers are looked for here, too: each page says whose it is, see {@link Sampler}.
     */
    private boolean isHere(String host) {
        return host.equals(ownName) || isLoopback(host) || isLoopback(namenodeHost());
    }

    /**
     * @param reachable host by which the server is reached
     * @param isHere whether it is this one
     */
    static Sampler.Target target(String url, String reachable, boolean isHere) {
        if (url.isEmpty()) {
            return Sampler.Target.none("it shows no status");
        }
        try {
            URI told = URI.create(url);
            String host = told.getHost();
            if (host == null) {
                return Sampler.Target.none("it tells no address of its status: " + url);
            }
            if (isAny(host)) {
                return Sampler.Target.at("http://" + new Endpoint(reachable, told.getPort()));
            }
            return isHere || !isLoopback(host)
                    ? Sampler.Target.at(url)
                    : Sampler.Target.none(ELSEWHERE);
        } catch (IllegalArgumentException e) {
            return Sampler.Target.none("it tells no address of its status: " + url);
        }
    }

    private static String hostOf(String route) {
        try {
            return Endpoint.parse(route).host();
        } catch (IllegalArgumentException e) {
            return route; // There is no connection at the moment.
        }
    }

    private static boolean isAny(String host) {
        return host.equals("0.0.0.0") || host.equals("[::]") || host.equals("[0:0:0:0:0:0:0:0]");
    }

    /** By its text alone: asking for names could take longer than a picture may. */
    private static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.startsWith("127.")
                || host.equals("::1")
                || host.equals("[::1]")
                || host.equals("[0:0:0:0:0:0:0:1]");
    }
}
