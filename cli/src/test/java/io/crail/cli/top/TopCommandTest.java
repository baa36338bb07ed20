// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.status.StatusConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TopCommandTest {
    private EmbeddedCluster cluster;

    @BeforeEach
    void start() throws CrailException {
        cluster =
                EmbeddedCluster.builder()
                        .servers(2)
                        .capacity(16 << 20)
                        .segmentSize(16 << 20)
                        .namenode(namenode -> namenode.status(StatusConfig.LOOPBACK))
                        .storage(storage -> storage.transport("nio").status(StatusConfig.LOOPBACK))
                        .start();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Run top(String... further) {
        String[] all = new String[further.length + 4];
        System.arraycopy(further, 0, all, 4, further.length);
        all[0] = "top";
        all[1] = "--once";
        all[2] = "--interval=100ms";
        all[3] = "--namenode=" + cluster.namenode();
        return Run.of(all);
    }

    @Test
    void aClusterIsShownWithoutConfiguration() {
        Run run = top();
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("cluster ", "   epoch 1   up 0:00:", "NAMENODE REQUESTS")
                .containsPattern("(?m)^statistics +\\d")
                .containsPattern("(?m)^ +1 +live +0 +0 +0 ")
                .containsPattern("(?m)^ +2 +live +0 +0 +0 ")
                .doesNotContain("\u001b");
    }

    @Test
    void eachPictureIsAnObjectOnALine() {
        Run run = top("--json");
        assertThat(run.out().lines()).hasSize(1);
        assertThat(run.out())
                .startsWith("{\"seconds\": ")
                .contains("\"error\": \"\", \"cluster\": \"")
                .contains("\"requestsError\": \"\"")
                .contains("{\"type\": \"statistics\", \"perSecond\": ")
                .contains("\"state\": \"live\", \"error\": \"\", \"inBytesPerSecond\": 0.0");
    }

    @Test
    void aServerThatIsGoneDoesNotKeepItWaiting() throws CrailException {
        cluster.stopStorage(0);
        Run run = top();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .containsPattern("(?m)^ +2 +live +0 +0 +0 ")
                .containsPattern("(?m)^ +1 +(expected|dead|no answer) +- +- +- ");
    }

    @Test
    void anIntervalOfNothingIsRefused() {
        assertThat(Run.of("top", "--interval=1ms").status()).isEqualTo(ExitCode.USAGE.number());
        assertThat(Run.of("top", "--interval=never").status()).isEqualTo(ExitCode.USAGE.number());
    }
}
