// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.ClosedException;
import io.crail.spark.layout.MapOutputIndex;
import io.crail.spark.layout.MapOutputIndexBuilder;
import io.crail.spark.layout.StreamFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MapOutputsTest {
    private static final String PATH = "/output";
    private static EmbeddedCluster cluster;
    private static CrailClient client;

    private int loaded;

    @BeforeAll
    static void start() throws IOException {
        cluster = EmbeddedCluster.builder().servers(1).capacity(64L << 20).start();
        client = cluster.client();
        try (CrailOutputStream file = client.createFile(PATH)) {
            file.write(1);
        }
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    /** Whose outputs are open as soon as they are asked for. */
    private MapOutputs outputs(int limit, long memory) {
        return new MapOutputs(
                (path, partitions) -> {
                    loaded++;
                    return CompletableFuture.completedFuture(load());
                },
                limit,
                memory);
    }

    private static MapOutput load() {
        try {
            ByteBuffer footer = new MapOutputIndexBuilder(1, StreamFormat.SPARK).footer(0);
            return new MapOutput(
                    client.open(PATH), MapOutputIndex.decode(footer.limit(), footer, PATH));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void read(CrailFile file) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(1);
        file.readFully(0, content);
        assertThat(content.array()).containsExactly(1);
    }

    private static CrailFile file(MapOutputs.Lease lease) {
        return lease.opened().join().file();
    }

    @Test
    void anOutputThatIsTooHeavyToBeKeptIsOpenWhileItIsUsed() throws IOException {
        MapOutputs outputs = outputs(10, 0);
        MapOutputs.Lease lease = outputs.open(0, PATH, 1);
        CrailFile file = file(lease);
        read(file);
        lease.close();
        assertThat(outputs.size()).isZero();
        assertThatThrownBy(() -> read(file)).isInstanceOf(ClosedException.class);
    }

    @Test
    void thoseNotUsedForTheLongestTimeGoFirst() throws IOException {
        MapOutputs outputs = outputs(2, 1 << 20);
        outputs.open(0, "/a", 1).close();
        outputs.open(0, "/b", 1).close();
        outputs.open(0, "/a", 1).close();
        outputs.open(0, "/c", 1).close();
        assertThat(loaded).isEqualTo(3);
        outputs.open(0, "/a", 1).close();
        assertThat(loaded).isEqualTo(3);
        outputs.open(0, "/b", 1).close();
        assertThat(loaded).isEqualTo(4);
        outputs.forgetAll();
        assertThat(outputs.size()).isZero();
    }

    @Test
    void anOutputThatIsDistrustedIsOpenedAnewByTheNext() throws IOException {
        MapOutputs outputs = outputs(10, 1 << 20);
        MapOutputs.Lease first = outputs.open(0, PATH, 1);
        MapOutputs.Lease other = outputs.open(0, PATH, 1);
        assertThat(loaded).isEqualTo(1);
        first.distrust();
        first.close();
        // Who has it goes on with it.
        read(file(other));
        MapOutputs.Lease fresh = outputs.open(0, PATH, 1);
        assertThat(loaded).isEqualTo(2);
        other.close();
        read(file(fresh));
        fresh.close();
        outputs.forget(0);
        assertThat(outputs.size()).isZero();
    }

    @Test
    void whatCannotBeOpenedIsTriedAgain() {
        MapOutputs outputs =
                new MapOutputs(
                        (path, partitions) -> {
                            loaded++;
                            return CompletableFuture.failedFuture(new IOException("no"));
                        },
                        10,
                        1 << 20);
        outputs.open(0, PATH, 1).close();
        outputs.open(0, PATH, 1).close();
        assertThat(loaded).isEqualTo(2);
    }
}
