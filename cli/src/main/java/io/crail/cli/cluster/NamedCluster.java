// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.ExitCode;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.StateDirectory;
import java.io.IOException;
import java.util.List;

/** Finds the cluster that a command names. */
final class NamedCluster {
    private NamedCluster() {}

    /**
     * The cluster of that name, whether it runs or not.
     *
     * @throws CommandFailure if there is none; says which there are
     */
    static LocalCluster find(StateDirectory state, String name) throws IOException {
        LocalCluster cluster = LocalCluster.read(state.cluster(name));
        if (cluster == null) {
            List<String> others = state.clusters();
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "there is no cluster '"
                            + name
                            + "' in "
                            + state.path()
                            + "; "
                            + (others.isEmpty()
                                    ? "nor any other: 'crail cluster start' starts one"
                                    : "there is " + String.join(", ", others)));
        }
        return cluster;
    }
}
