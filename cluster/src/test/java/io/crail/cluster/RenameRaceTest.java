// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.client.RenameOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names that are moved and replaced while others look at them. */
final class RenameRaceTest {
    private static final int ROUNDS = 1000;
    private static final int READERS = 3;

    private final EmbeddedCluster cluster;
    private final CrailClient writer;
    private final CrailClient reader;

    RenameRaceTest() throws IOException {
        cluster = EmbeddedCluster.builder().servers(1).start();
        writer = cluster.connect();
        reader = cluster.connect();
    }

    @BeforeEach
    void makeDirectory() throws IOException {
        writer.mkdir("/d");
    }

    @AfterEach
    void stop() {
        writer.close();
        reader.close();
        cluster.close();
    }

    /** Looks from several threads until the writer is done; each must have looked at least once. */
    private void race(Callable<Void> writing, Callable<Void> look) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(READERS + 1);
        try {
            Future<Void> written = threads.submit(writing);
            List<Future<Integer>> looking = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                looking.add(
                        threads.submit(
                                () -> {
                                    int looks = 0;
                                    do {
                                        look.call();
                                        looks++;
                                    } while (!written.isDone());
                                    return looks;
                                }));
            }
            written.get(50, TimeUnit.SECONDS);
            for (Future<Integer> each : looking) {
                assertThat(each.get(50, TimeUnit.SECONDS)).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void write(String path, long number) throws IOException {
        try (CrailOutputStream out = writer.createFile(path, CreateOptions.OVERWRITE)) {
            out.write(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
        }
    }

    @Test
    void aFileThatIsMovedIsListedUnderOneOfItsNamesAlways() throws Exception {
        write("/d/a", 1);
        race(
                () -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        boolean there = i % 2 == 0;
                        writer.rename(there ? "/d/a" : "/d/b", there ? "/d/b" : "/d/a");
                    }
                    return null;
                },
                () -> {
                    List<String> names = new ArrayList<>();
                    for (DirectoryEntry entry : reader.listAsync("/d", "", 10).join()) {
                        names.add(entry.name());
                    }
                    assertThat(names).hasSize(1).isSubsetOf("a", "b");
                    return null;
                });
    }

    @Test
    void aNameThatIsReplacedIsAlwaysThereAndNeverOlderThanWhatWasAcknowledged() throws Exception {
        write("/d/target", 0);
        AtomicLong acknowledged = new AtomicLong();
        race(
                () -> {
                    for (long i = 1; i <= ROUNDS; i++) {
                        write("/d/next", i);
                        writer.rename("/d/next", "/d/target", RenameOption.REPLACE);
                        acknowledged.set(i);
                    }
                    return null;
                },
                () -> {
                    long before = acknowledged.get();
                    assertThat(reader.lookup("/d/target")).isPresent();
                    try (CrailFile file = reader.open("/d/target")) {
                        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
                        assertThat(file.length()).isEqualTo(Long.BYTES);
                        file.readFully(0, bytes);
                        assertThat(bytes.getLong(0)).isBetween(before, acknowledged.get() + 1);
                    }
                    return null;
                });
        assertThat(acknowledged).hasValue(ROUNDS);
    }
}
