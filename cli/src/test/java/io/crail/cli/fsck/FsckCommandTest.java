// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import io.crail.client.CrailOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class FsckCommandTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private String file = "";

    @BeforeEach
    void write() throws IOException {
        file = CLUSTER.directory() + "/f";
        try (CrailOutputStream out = CLUSTER.client().createFile(file)) {
            out.write(new byte[2_000_000]);
        }
    }

    @Test
    void aClusterThatIsWholeIsFoundWell() {
        Run run = CLUSTER.run("fsck");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("FINDING")
                .containsPattern("orphan-block +0")
                .contains("2 servers")
                .contains("all is well");
    }

    @Test
    void jsonTellsTheSame() {
        Run run = CLUSTER.run("fsck", "--json");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("\"clean\": true")
                .contains("\"servers\": 2")
                .contains("\"lost-extent\": 0")
                .contains("\"findings\": []");
    }

    @Test
    void nodesAtAPathAreCheckedWithoutBlocks() {
        Run run = CLUSTER.run("fsck", "--json", file);
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("\"clean\": true").contains("\"servers\": 0");
    }

    @Test
    void aPathThatIsNotThereIsNotFound() {
        Run run = CLUSTER.run("fsck", "/nowhere");
        assertThat(run.status()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(run.err()).contains("/nowhere");
    }
}
