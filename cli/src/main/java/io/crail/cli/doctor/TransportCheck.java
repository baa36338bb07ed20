// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.client.StorageServer;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.ServerState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which way this client takes to the namenode and to each storage server, and why. */
final class TransportCheck implements Check {
    private static final String SHARED_MEMORY = "shm://";
    private static final String TCP = "tcp://";
    private static final String FLASH = "nvmf://";

    /** Tries ways. */
    interface Ways {
        /** Whether a server of crail answers there. */
        boolean answers(Endpoint at);

        /** Why the segments in a directory cannot be used by this process; empty if they can. */
        Optional<String> whyNotShared(Path directory);
    }

    private final Cluster cluster;
    private final Configuration values;
    private final Ways ways;

    TransportCheck(Cluster cluster, Configuration values, Ways ways) {
        this.cluster = cluster;
        this.values = values;
        this.ways = ways;
    }

    @Override
    public String subject() {
        return "transports";
    }

    @Override
    public List<Finding> look() {
        List<Finding> found = new ArrayList<>();
        found.add(Finding.ok(namenode()));
        for (StorageServer server : cluster.servers()) {
            found.add(storage(server));
        }
        if (cluster.servers().isEmpty()) {
            found.add(
                    Finding.problem(
                            "no storage server has registered: there is no room for data",
                            "start one: crail storage --namenode HOST:PORT"));
        }
        return found;
    }

    private String namenode() {
        if (cluster.route().startsWith("/")) {
            return "namenode: Unix socket " + cluster.route();
        }
        return "namenode: TCP to " + cluster.route() + ", because " + whyNotUnix();
    }

    private String whyNotUnix() {
        if (!values.get(ClientKeys.UNIX_SOCKET)) {
            return ClientKeys.UNIX_SOCKET + " is false";
        }
        Optional<Hello.Reply> hello = cluster.hello();
        if (hello.isEmpty()) {
            return "the namenode did not say whether it has a Unix socket";
        }
        LocalEndpoint local = hello.get().local();
        if (!local.isPresent()) {
            return "the namenode offers this host no Unix socket (it is another host, or"
                    + " namenode.unix-socket is false)";
        }
        try {
            return local.find() + " could not be connected to";
        } catch (IOException e) {
            return "its Unix socket cannot be used here: " + e.getMessage();
        }
    }

    private Finding storage(StorageServer server) {
        String who = "storage server " + server.id() + " (" + server.host() + "): ";
        if (server.state() == ServerState.DEAD || server.state() == ServerState.EXPECTED) {
            return Finding.warning(
                    who + server.state().name().toLowerCase(Locale.ROOT) + ", not there",
                    "start it again where it was: its blocks come back with it");
        }
        Optional<Endpoint> flash = flash(server);
        if (flash.isPresent()) {
            return ways.answers(flash.get())
                    ? Finding.ok(who + "NVMe/TCP to " + flash.get())
                    : Finding.problem(
                            who + "NVMe/TCP to " + flash.get() + " does not answer",
                            "clients need the ports of storage servers, too: look at firewalls,"
                                    + " and at storage.advertise.hosts of that server");
        }
        Optional<String> whyNot = whyNotShared(server);
        Optional<Endpoint> tcp = tcp(server);
        boolean reachable = tcp.map(ways::answers).orElse(false);
        if (whyNot.isEmpty()) {
            return reachable
                    ? Finding.ok(who + "shared memory in " + directory(server).orElseThrow())
                    : Finding.warning(
                            who + "shared memory, but TCP to " + at(tcp) + " does not answer",
                            "clients of other hosts and users need it: look at "
                                    + "storage.advertise.hosts and at firewalls");
        }
        return reachable
                ? Finding.ok(who + "TCP to " + at(tcp) + ", because " + whyNot.get())
                : Finding.problem(
                        who + "TCP to " + at(tcp) + " does not answer, and " + whyNot.get(),
                        "clients need the ports of storage servers, too: look at firewalls, and at"
                                + " storage.advertise.hosts of that server");
    }

    private static String at(Optional<Endpoint> tcp) {
        return tcp.map(Endpoint::toString).orElse("no address");
    }

    private Optional<String> whyNotShared(StorageServer server) {
        if (!values.get(ClientKeys.SHARED_MEMORY)) {
            return Optional.of(ClientKeys.SHARED_MEMORY + " is false");
        }
        Optional<Path> directory = directory(server);
        return directory.isEmpty()
                ? Optional.of("the server shares no memory (storage.shared-memory)")
                : ways.whyNotShared(directory.get());
    }

    /** Its endpoint is the directory, with a port of 0. */
    private static Optional<Path> directory(StorageServer server) {
        return endpoint(server, SHARED_MEMORY)
                .map(text -> Path.of(text.substring(0, text.lastIndexOf(':'))));
    }

    private static Optional<Endpoint> tcp(StorageServer server) {
        return endpoint(server, TCP)
                .map(
                        text -> {
                            int colon = text.lastIndexOf(':');
                            return new Endpoint(
                                    text.substring(0, colon),
                                    Integer.parseInt(text.substring(colon + 1)));
                        });
    }

    /** Its endpoint says more than a host, behind slashes. */
    private static Optional<Endpoint> flash(StorageServer server) {
        return endpoint(server, FLASH)
                .map(
                        text ->
                                new Endpoint(
                                        text.substring(0, text.indexOf('/')),
                                        Integer.parseInt(
                                                text.substring(text.lastIndexOf(':') + 1))));
    }

    private static Optional<String> endpoint(StorageServer server, String transport) {
        return server.endpoints().stream()
                .filter(text -> text.startsWith(transport))
                .map(text -> text.substring(transport.length()))
                .findFirst();
    }
}
