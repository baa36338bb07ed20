// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Statistics;
import java.util.ArrayList;
import java.util.List;

/** Whether client, namenode and storage servers are of one version. */
final class VersionCheck implements Check {
    private static final String REMEDY =
            "install the same version everywhere: namenode first, then storage servers, then"
                    + " clients";

    private final Cluster cluster;
    private final String own;

    /**
     * @param own version of this software, {@code crail 1.2.3}
     */
    VersionCheck(Cluster cluster, String own) {
        this.cluster = cluster;
        this.own = own;
    }

    @Override
    public String subject() {
        return "versions";
    }

    @Override
    public List<Finding> look() {
        List<Finding> found = new ArrayList<>();
        compare("the namenode", cluster.statistics().software(), found);
        for (Statistics.ServerCapacity server : cluster.statistics().servers()) {
            compare("storage server " + server.id(), server.software(), found);
        }
        cluster.hello()
                .filter(hello -> hello.version() != ProtocolLimits.VERSION)
                .ifPresent(
                        hello ->
                                found.add(
                                        Finding.warning(
                                                "the namenode speaks version "
                                                        + hello.version()
                                                        + " of the protocol with this client, whose"
                                                        + " newest is "
                                                        + ProtocolLimits.VERSION,
                                                REMEDY)));
        if (found.isEmpty()) {
            found.add(
                    Finding.ok(
                            "all are of the version of this command, "
                                    + own
                                    + ", protocol "
                                    + ProtocolLimits.VERSION));
        }
        return found;
    }

    private void compare(String who, String software, List<Finding> found) {
        // Empty: a server that has not registered in this life of the namenode, or an old namenode.
        if (!software.isEmpty() && !software.equals(own)) {
            found.add(
                    Finding.warning(
                            who + " is of version '" + software + "', this command '" + own + "'",
                            REMEDY));
        }
    }
}
