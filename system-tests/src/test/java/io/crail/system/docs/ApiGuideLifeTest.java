// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.client.PutOptions;
import io.crail.client.Quota;
import io.crail.client.RenameOption;
import io.crail.client.XattrOption;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.protocol.message.Summary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The snippets of docs/api.md about what nodes have besides bytes. */
class ApiGuideLifeTest {
    private static EmbeddedCluster cluster;
    private static CrailClient client;

    @BeforeAll
    static void start() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(1).start();
        client = cluster.connect();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void timesToLive() throws CrailException {
        byte[] key = {1};
        ByteBuffer value = ByteBuffer.wrap(new byte[] {2});
        // snippet: times to live
        CreateOptions hour = CreateOptions.builder().lifetime(Duration.ofHours(1)).build();
        client.mkdir("/intermediate", hour); // goes in an hour, with everything below it
        client.setAttributes("/intermediate", AttributeChange.NONE.lifetime(Duration.ofHours(2)));
        long left = client.status("/intermediate").remainingMillis();
        assertThat(left).isGreaterThan(Duration.ofHours(1).toMillis());
        client.setAttributes(
                "/intermediate", AttributeChange.NONE.lifetime(Duration.ZERO)); // stays

        CrailTable locks = client.createTable("/locks");
        locks.put(key, value, PutOptions.IF_ABSENT.withLifetime(Duration.ofSeconds(30)));
        // end
        assertThat(client.status("/intermediate").remainingMillis()).isEqualTo(-1);
        assertThat(locks.get(key).orElseThrow().remainingMillis()).isBetween(1L, 30_000L);
    }

    @Test
    void extendedAttributes() throws CrailException {
        client.mkdir("/described");
        // snippet: extended attributes
        client.setXattr("/described", "user.source", "kafka".getBytes(UTF_8));
        Optional<byte[]> source = client.getXattr("/described", "user.source");
        for (String name : client.listXattrs("/described")) {
            client.removeXattr("/described", name);
        }
        try {
            client.setXattr("/described", "user.owner", new byte[] {17}, XattrOption.CREATE);
        } catch (ConditionFailedException e) {
            // Somebody else was faster.
        }
        // end
        assertThat(source.orElseThrow()).isEqualTo("kafka".getBytes(UTF_8));
        assertThat(client.getXattrs("/described")).containsOnlyKeys("user.owner");
    }

    @Test
    void quotas() throws CrailException {
        client.mkdir("/team");
        // snippet: quotas
        client.setQuota("/team", Quota.NONE.nodes(1_000_000).bytes(2L << 40));
        client.setQuota("/team", client.quota("/team").bytes(0, 500L << 30)); // in class 0
        Summary.Reply use = client.summary("/team");
        long left = use.nodeLimit() - use.nodes();
        client.setQuota("/team", Quota.NONE);
        // end
        assertThat(left).isEqualTo(999_999);
        assertThat(client.quota("/team")).isEqualTo(Quota.NONE);
    }

    @Test
    void boundToASession() throws IOException {
        // snippet: bound to a session
        CreateOptions bound = CreateOptions.builder().sessionBound(true).build();
        try (CrailClient job = cluster.connect()) {
            job.mkdir("/job-17", bound);
            job.mkdir("/job-17/stage-1");
            try (CrailOutputStream out = job.createFile("/job-17/.result", bound)) {
                out.write("42".getBytes(UTF_8));
            }
            job.rename(
                    "/job-17/.result", "/result-17", RenameOption.UNBIND); // whole, or not at all
        }
        assertThat(client.lookup("/job-17")).isEmpty();
        assertThat(client.status("/result-17").length()).isEqualTo(2);
        // end
        assertThat(client.list("/").hasNext()).isTrue();
    }
}
