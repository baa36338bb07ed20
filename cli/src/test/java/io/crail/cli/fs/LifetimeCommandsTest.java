// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Times to live on the command line. */
class LifetimeCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private static final long HOUR = 3_600_000;

    @TempDir private Path local;
    private String home = "";

    @BeforeEach
    void makeDirectory() throws CrailException {
        home = CLUSTER.directory();
    }

    private NodeStatus status(String name) throws CrailException {
        try (CrailClient client = CLUSTER.client()) {
            return client.status(home + "/" + name);
        }
    }

    private void awaitGone(String name) throws CrailException {
        try (CrailClient client = CLUSTER.client()) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> client.lookup(home + "/" + name).isEmpty());
        }
    }

    @Test
    void everyCommandThatMakesNodesTakesATimeToLive() throws Exception {
        Path file = Files.writeString(local.resolve("put"), "content");
        CLUSTER.run("fs", "put", "--ttl", "1h", file.toString(), home);
        CLUSTER.run("fs", "mkdir", "--ttl", "1h", home + "/mkdir");
        CLUSTER.run("fs", "touch", "--ttl", "1h", home + "/touch");
        for (String name : new String[] {"put", "mkdir", "touch"}) {
            assertThat(status(name).remainingMillis()).as(name).isBetween(HOUR / 2, HOUR);
            assertThat(status(name).has(NodeStatus.SESSION_BOUND)).as(name).isFalse();
        }
        assertThat(CLUSTER.run("fs", "stat", home + "/put").out())
                .containsPattern("lives for +(60|59) min\n");
        assertThat(CLUSTER.run("fs", "stat", "--json", home + "/put").out())
                .containsPattern("\"remainingMillis\": 3[56]\\d{5}");
    }

    @Test
    void whatIsPutGoesWhenItsTimeIsOver() throws Exception {
        byte[] content = "content".getBytes(StandardCharsets.UTF_8);
        Run put = CLUSTER.runWithInput(content, "fs", "put", "--ttl", "200ms", "-", home + "/f");
        assertThat(put.err()).isEmpty();
        awaitGone("f");
    }

    @Test
    void ttlShowsSetsAndTakesAway() throws Exception {
        String path = home + "/f";
        CLUSTER.run("fs", "touch", path);
        assertThat(CLUSTER.run("fs", "ttl", path).out()).isEqualTo("none\n");
        assertThat(CLUSTER.run("fs", "ttl", "--json", path).out())
                .contains("\"remainingMillis\": null");
        assertThat(CLUSTER.run("fs", "ttl", path, "2h").out()).isEmpty();
        assertThat(CLUSTER.run("fs", "ttl", path).out()).isIn("120 min\n", "119 min\n");
        CLUSTER.run("fs", "ttl", path, "none");
        assertThat(status("f").remainingMillis()).isEqualTo(-1);
        CLUSTER.run("fs", "ttl", path, "1ms");
        awaitGone("f");
    }

    @Test
    void aTimeThatMakesNoSenseIsRefused() {
        for (String time : new String[] {"10", "soon", "0s", "999us", "200000d"}) {
            Run run = CLUSTER.run("fs", "mkdir", "--ttl", time, home + "/d");
            assertThat(run.status()).as(time).isNotZero();
            assertThat(run.err()).as(time).isNotEmpty();
        }
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEmpty();
    }

    @Test
    void valuesHaveATimeToLive() {
        String table = home + "/t";
        CLUSTER.run("kv", "create", table);
        CLUSTER.run("kv", "put", "--ttl", "1h", table, "a", "1");
        CLUSTER.run("kv", "put", table, "b", "1");
        assertThat(CLUSTER.run("kv", "get", "--json", table, "a").out())
                .contains("\"remainingMillis\": 3");
        assertThat(CLUSTER.run("kv", "get", "--json", table, "b").out())
                .doesNotContain("remainingMillis");
        assertThat(CLUSTER.run("kv", "ls", "--json", table).out())
                .containsOnlyOnce("\"remainingMillis\": 3");
        assertThat(CLUSTER.run("kv", "ls", "-l", table).out())
                .containsPattern("(60|59) min +a\n")
                .containsPattern("none +b\n");
    }
}
