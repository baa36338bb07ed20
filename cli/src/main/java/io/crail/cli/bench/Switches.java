// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.stage.Result;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.ConfigKey;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.SecurityKeys;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names in each row what is not as shipped: a figure with a switch that was made for it is not to
 * be taken for one without.
 */
final class Switches {
    /** What rows choose themselves, and what says where or who, not how. */
    private static final Set<ConfigKey<?>> NONE_OF_THEM =
            Set.of(
                    ClientKeys.NAMENODES,
                    ClientKeys.SHARED_MEMORY,
                    ClientKeys.UNIX_SOCKET,
                    ClientKeys.USER,
                    ClientKeys.GROUP,
                    SecurityKeys.SECRET_FILE);

    private static final String CLIENT = "client.";

    private Switches() {}

    /** Rows of servers and clients that have this configuration. */
    static List<Result> ofAll(List<Result> results, Configuration configuration) {
        return name(results, configuration, "");
    }

    /** Rows of servers of others, and of clients that have this configuration. */
    static List<Result> ofClients(List<Result> results, Configuration configuration) {
        return name(results, configuration, CLIENT);
    }

    private static List<Result> name(
            List<Result> results, Configuration configuration, String prefix) {
        String switches =
                configuration.entries().stream()
                        .filter(entry -> !entry.text().equals(entry.key().defaultText()))
                        .filter(entry -> entry.key().name().startsWith(prefix))
                        .filter(entry -> !NONE_OF_THEM.contains(entry.key()))
                        .map(entry -> entry.key().name() + "=" + entry.text())
                        .collect(Collectors.joining(", "));
        return results.stream().map(result -> result.switched(switches)).toList();
    }
}
