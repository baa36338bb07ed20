// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.util.List;
import java.util.Optional;

/** Whether the cluster answers this client. */
final class NamenodeCheck implements Check {
    private final String where;
    private final boolean expected;
    private final Optional<Cluster> cluster;
    private final String failure;

    /**
     * @param where namenodes that were asked
     * @param expected whether somebody has said that one is there
     * @param cluster what answered
     * @param failure why nothing did
     */
    NamenodeCheck(String where, boolean expected, Optional<Cluster> cluster, String failure) {
        this.where = where;
        this.expected = expected;
        this.cluster = cluster;
        this.failure = failure;
    }

    @Override
    public String subject() {
        return "namenode";
    }

    @Override
    public List<Finding> look() {
        return List.of(cluster.map(this::answers).orElseGet(this::missing));
    }

    private Finding answers(Cluster answering) {
        return answering.statistics().readOnly()
                ? Finding.problem(
                        where + " is read-only: its log could not be written",
                        "its log says which path and error; mend that and restart it")
                : Finding.ok(where + " answers, epoch " + answering.statistics().epoch());
    }

    private Finding missing() {
        return expected
                ? Finding.problem(
                        "no answer from " + where + ": " + failure,
                        "start it (crail cluster start, crail namenode), or correct"
                                + " client.namenodes; with firewalls, open its port")
                : Finding.ok(
                        "no cluster runs at " + where + "; what needs one was not looked at",
                        "name another with --namenode HOST:PORT");
    }
}
