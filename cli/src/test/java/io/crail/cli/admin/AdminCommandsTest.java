// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import io.crail.error.LeaseLostException;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AdminCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private static String server() throws CrailException {
        Statistics.Reply statistics = CLUSTER.client().statistics();
        return Integer.toString(statistics.servers().get(0).id());
    }

    @Test
    void theReportShowsClusterClassesAndServersInColumns() throws CrailException {
        Statistics.Reply now = CLUSTER.client().statistics();
        Run run = CLUSTER.run("admin", "report");
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern("cluster +" + now.cluster())
                .containsPattern("namenode +crail .*, epoch " + now.epoch() + ", up ")
                .containsPattern("sessions +\\d+, with \\d+ open handles")
                .containsPattern("snapshot +of record \\d+, \\d+ records behind")
                .containsPattern("(?m)^ +1 +live +dram +0 ")
                .contains("tcp://127.0.0.1:");
        List<String> lines = run.out().lines().toList();
        int title =
                lines.indexOf(
                        lines.stream().filter(l -> l.startsWith("CLASS")).findAny().orElseThrow());
        assertThat(lines.get(title + 1)).hasSameSizeAs(lines.get(title));
        Run exact = CLUSTER.run("admin", "report", "-b");
        assertThat(exact.out()).contains(" " + now.classes().get(0).capacity() + " ");
    }

    @Test
    void aDrainingServerIsReportedWithWhatIsLeftOnIt() throws CrailException {
        assertThat(CLUSTER.run("admin", "drain", "--no-move", server()).status()).isZero();
        try {
            assertThat(CLUSTER.run("admin", "report").out())
                    .contains("server " + server() + " is draining: ");
        } finally {
            assertThat(CLUSTER.run("admin", "undrain", server()).status()).isZero();
        }
        assertThat(CLUSTER.run("admin", "report").out()).doesNotContain("draining");
    }

    @Test
    void theReportForProgramsHasExactNumbers() throws CrailException {
        Statistics.Reply now = CLUSTER.client().statistics();
        Run run = CLUSTER.run("admin", "report", "--json");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("\"cluster\": \"" + now.cluster() + "\"")
                .contains("\"readOnly\": false", "\"handles\": ", "\"snapshotLag\": ")
                .contains("\"capacity\": " + now.classes().get(0).capacity() + ", \"free\": ")
                .contains("\"tier\": \"dram\"", "\"silentMillis\": ");
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

    /** The one that holds something. */
    private static String usedServer() throws CrailException {
        return CLUSTER.client().statistics().servers().stream()
                .filter(each -> each.free() < each.capacity())
                .map(each -> Integer.toString(each.id()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void byForceAnOpenFileDoesNotKeepAServerFromBeingEmptied() throws IOException {
        CrailClient client = CLUSTER.client();
        CrailOutputStream out = client.createFile("/forced");
        out.write(new byte[100_000]);
        out.sync();
        String server = usedServer();
        try {
            Run refused = CLUSTER.run("admin", "drain", "--wait", "100 ms", server);
            assertThat(refused.status()).isNotZero();
            assertThat(refused.err()).contains("still holds");
            Run run = CLUSTER.run("admin", "drain", "--wait", "100 ms", "--force", server);
            assertThat(run.err()).isEmpty();
            assertThat(run.out())
                    .contains("is empty and can be stopped")
                    .contains("1 leases of files");
            out.write(1);
            assertThatThrownBy(out::close).isInstanceOf(LeaseLostException.class);
            assertThat(client.status("/forced").length()).isEqualTo(100_000);
        } finally {
            CLUSTER.run("admin", "undrain", server);
            client.delete("/forced", false);
        }
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
