// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.client.local.LocalCluster;
import io.crail.client.local.StateDirectory;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The namenodes that a command asks, and why these: whoever named none has to be told when nobody
 * answers, since the address in the error is not one that he knows.
 *
 * @param namenodes their addresses
 * @param why what made the choice
 * @param remedy what to do if none of them answers
 */
record NamenodeChoice(List<Endpoint> namenodes, String why, String remedy) {
    private static final String ANOTHER = "name another one by --namenode HOST:PORT";

    /** Those configured, else the local cluster that runs, else the default. */
    static NamenodeChoice of(Configuration values, Map<String, String> environment)
            throws InvalidArgumentException {
        if (values.isSet(ClientKeys.NAMENODES)) {
            return new NamenodeChoice(
                    values.get(ClientKeys.NAMENODES),
                    "named by " + values.origin(ClientKeys.NAMENODES),
                    "start it, or " + ANOTHER);
        }
        StateDirectory state = StateDirectory.ofUser(environment);
        LocalCluster running = LocalCluster.find(state, LocalCluster.DEFAULT);
        if (running != null) {
            return new NamenodeChoice(
                    List.of(running.namenode()),
                    "the local cluster that runs, of " + running.directory(),
                    "'crail cluster status' tells more, or " + ANOTHER);
        }
        return byDefault(values, LocalCluster.read(state.cluster(LocalCluster.DEFAULT)));
    }

    private static NamenodeChoice byDefault(Configuration values, @Nullable LocalCluster dead) {
        String nobody =
                "the default, as neither option, environment nor configuration names one and ";
        return new NamenodeChoice(
                values.get(ClientKeys.NAMENODES),
                dead == null
                        ? nobody + "no local cluster runs"
                        : nobody
                                + "the namenode of the local cluster in "
                                + dead.directory()
                                + ", which was "
                                + dead.namenode()
                                + ", does not run any more",
                (dead == null
                                ? "start a cluster by 'crail cluster start', or "
                                : "start it again by 'crail cluster start', or ")
                        + ANOTHER);
    }

    /** The error of whoever could not connect, with the choice if that may be the reason. */
    CrailException explain(CrailException error) {
        if (error.code() != ErrorCode.TIMEOUT && error.code() != ErrorCode.SERVER_LOST) {
            return error;
        }
        return CrailException.of(
                error.code(),
                error.getMessage() + "; asked was " + addresses() + ", " + why + ": " + remedy,
                error);
    }

    /** As the configuration has them. */
    String addresses() {
        return namenodes.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
    }
}
