// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.nvmf;

import io.crail.cli.command.Command;
import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.launch.SubsystemDiscovery;
import io.crail.protocol.launch.SubsystemEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "discover",
        description = "Shows what a target of NVMe/TCP, or a discovery service, says is served.",
        footer = {
            "",
            "Examples:",
            "  crail nvmf discover tcp:127.0.0.1:4420",
            "  crail nvmf discover --json tcp:nvme1:8009"
        })
final class DiscoverCommand extends Command {
    private static final String TCP = "tcp:";

    @Parameters(paramLabel = "TARGET", description = "tcp:HOST:PORT")
    private String target = "";

    @Option(
            names = "--hostnqn",
            paramLabel = "NQN",
            description =
                    "Name of the host to ask as, where not every host may ask. Default: a new one.")
    private @Nullable String hostNqn;

    DiscoverCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        try {
            print(
                    Services.found(SubsystemDiscovery.class)
                            .ask(service(), Optional.ofNullable(hostNqn), patience()));
        } catch (CrailException e) {
            throw CommandFailure.of(e);
        }
    }

    private Endpoint service() throws InvalidArgumentException {
        if (!target.startsWith(TCP)) {
            throw new InvalidArgumentException("'" + target + "' is not tcp:HOST:PORT");
        }
        try {
            return Endpoint.parse(target.substring(TCP.length()));
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(target + ": " + e.getMessage(), e);
        }
    }

    private Duration patience() throws InvalidArgumentException {
        Configuration values = invocation.configuration();
        return values.get(
                values.isSet(ClientKeys.DEADLINE)
                        ? ClientKeys.DEADLINE
                        : ClientKeys.CONNECT_TIMEOUT);
    }

    private void print(List<SubsystemEntry> entries) {
        Table table = Table.titled("TRANSPORT", "KIND", "ADDRESS", "PORT>", "NQN");
        List<Object> results = new ArrayList<>();
        for (SubsystemEntry each : entries) {
            table.row(each.transport(), each.kind(), each.address(), each.service(), each.nqn());
            results.add(
                    Json.object(
                            "transport", each.transport(),
                            "kind", each.kind(),
                            "address", each.address(),
                            "port", port(each.service()),
                            "nqn", each.nqn()));
        }
        if (invocation.json()) {
            invocation.printJson(results);
        } else {
            table.print(invocation.out());
        }
    }

    /** A number, as far as it is one: other transports have other words for it. */
    private static Object port(String service) {
        return service.matches("\\d{1,5}") ? Integer.valueOf(service) : service;
    }
}
