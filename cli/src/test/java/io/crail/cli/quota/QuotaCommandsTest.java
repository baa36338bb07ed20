// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.error.CrailException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QuotaCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private String path = "";

    @BeforeEach
    void makeDirectory() throws CrailException {
        path = CLUSTER.directory();
    }

    private Run put(String name) {
        return CLUSTER.runWithInput(new byte[5000], "fs", "put", "-", path + "/" + name);
    }

    @Test
    void limitsAreSetOneByOneShownAndCleared() {
        assertThat(CLUSTER.run("fs", "quota", "set", "--nodes", "5", path).err()).isEmpty();
        CLUSTER.run("fs", "quota", "set", "--bytes", "1MiB", "--class", "0=512KiB", path);
        put("f");
        assertThat(CLUSTER.run("fs", "quota", "show", path).out())
                .containsPattern("nodes +1 +5 +" + path)
                .containsPattern("bytes +8192 +1048576 +" + path)
                .containsPattern("bytes of class 0 +8192 +524288 +" + path);
        assertThat(CLUSTER.run("fs", "quota", "show", "-h", path).out()).contains("1.0 MiB");
        assertThat(CLUSTER.run("fs", "quota", "show", "--json", path).out())
                .contains("\"nodes\": 1, \"nodeLimit\": 5")
                .contains("{\"storageClass\": \"all\", \"allocated\": 8192, \"limit\": 1048576}");
        assertThat(CLUSTER.run("fs", "quota", "clear", path).status()).isZero();
        assertThat(CLUSTER.run("fs", "quota", "show", path).out())
                .containsPattern("nodes +1 +none")
                .containsPattern("bytes of class 0 +8192 +none");
    }

    @Test
    void whatExceedsAQuotaIsRefusedAndLeavesNothing() {
        CLUSTER.run("fs", "quota", "set", "--nodes", "1", path);
        assertThat(put("a").status()).isZero();
        Run run = put("b");
        assertThat(run.status()).isNotZero();
        assertThat(run.err()).contains(path + " may hold 1 nodes and holds 1");
        CLUSTER.run("fs", "quota", "set", "--nodes", "9", "--bytes", "8KiB", path);
        assertThat(put("b").err()).contains("may hold 8192 bytes of blocks");
        assertThat(CLUSTER.run("fs", "ls", path).out()).isEqualTo("a\n");
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        for (String[] limit :
                new String[][] {
                    {"--nodes", "-1"},
                    {"--bytes", "much"},
                    {"--class", "300=1MiB"},
                    {"--class", "1"}
                }) {
            assertThat(CLUSTER.run("fs", "quota", "set", limit[0], limit[1], path).status())
                    .isNotZero();
        }
        assertThat(CLUSTER.run("fs", "quota", "set", path).err()).contains("name a limit");
    }
}
