// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AdminCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private static String server() throws CrailException {
        Statistics.Reply statistics = CLUSTER.client().statistics();
        return Integer.toString(statistics.servers().get(0).id());
    }

    @Test
    void aServerIsKeptFromNewBlocksAndLetHaveThemAgain() throws CrailException {
        Run drain = CLUSTER.run("admin", "drain", "--no-move", server());
        assertThat(drain.err()).isEmpty();
        assertThat(drain.status()).isZero();
        assertThat(CLUSTER.run("fs", "df").out()).contains("draining");
        Run undrain = CLUSTER.run("admin", "undrain", "--json", server());
        assertThat(undrain.out()).contains("\"state\": \"live\"");
        assertThat(CLUSTER.run("fs", "df").out()).doesNotContain("draining");
    }

    @Test
    void anUnknownServerIsAMistakeOfTheUser() {
        Run run = CLUSTER.run("admin", "drain", "4711");
        assertThat(run.status()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("4711").contains("crail fs df");
    }

    @Test
    void anImpossibleWaitIsRefused() throws CrailException {
        Run run = CLUSTER.run("admin", "drain", "--wait", "soon", server());
        assertThat(run.status()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("--wait");
    }
}
