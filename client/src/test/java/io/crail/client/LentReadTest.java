// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.testing.Lending;
import io.crail.client.testing.MemoryDataPathProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transport lends what it has read: who gives it back, whatever happens in which order. */
@Timeout(60)
class LentReadTest extends ClientTestBase {
    private static final int LENGTH = 100_000;

    private final byte[] content = bytes(LENGTH, 1);
    private final ByteBuffer spare = ByteBuffer.allocateDirect(LENGTH);

    @BeforeEach
    void preferMemory() {
        cluster().namenode().preferMemory();
    }

    @AfterEach
    void lendNoMore() {
        MemoryDataPathProvider.lend(null);
    }

    private CrailFile open(CrailClient client) throws IOException {
        write(client, "/f", content);
        return client.open("/f");
    }

    private boolean isUntouched() {
        for (int i = 0; i < LENGTH; i++) {
            if (spare.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    @Test
    void aViewHasWhatWasLentUntilItIsClosed() throws IOException {
        Lending lending = new Lending(() -> {});
        MemoryDataPathProvider.lend(lending);
        try (CrailClient client = cluster().connect();
                CrailFile file = open(client)) {
            CrailView view = file.viewAsync(0, spare).join();
            assertThat(view.isZeroCopy()).isTrue();
            assertThat(view.buffers()).containsExactly(ByteBuffer.wrap(content));
            assertThat(isUntouched()).isTrue();
            assertThat(lending.open()).isEqualTo(lending.made()).isPositive();
            assertThat(client.clientStatistics().over("memory").bytesLent()).isEqualTo(LENGTH);
            view.close();
            view.close();
            assertThat(lending.open()).isZero();
        }
    }

    @Test
    void whoReadsIntoABufferIsLentNothing() throws IOException {
        Lending lending = new Lending(() -> {});
        MemoryDataPathProvider.lend(lending);
        try (CrailClient client = cluster().connect();
                CrailFile file = open(client)) {
            assertThat(file.readAsync(0, spare).join()).isEqualTo(LENGTH);
            assertThat(spare.rewind()).isEqualTo(ByteBuffer.wrap(content));
        }
        assertThat(lending.made()).isZero();
    }

    @Test
    void damagedBytesAreGivenBackAndReadAgain() throws IOException {
        Lending lending = new Lending(() -> {});
        MemoryDataPathProvider.lend(lending);
        try (CrailClient client = cluster().connect();
                CrailFile file = open(client)) {
            cluster().storage(0).corruptReads(1);
            try (CrailView view = file.viewAsync(0, spare).join()) {
                assertThat(view.buffers()).containsExactly(ByteBuffer.wrap(content));
            }
            assertThat(client.clientStatistics().checksumFailures()).isEqualTo(1);
        }
        assertThat(lending.open()).isZero();
    }

    /** The read ends with success, when what it was lent is gone. */
    @Test
    void whatIsCalledOffBetweenTheLoanAndTheEndIsGivenBackAndLookedAtByNobody() throws Exception {
        CompletableFuture<CrailFuture<CrailView>> begun = new CompletableFuture<>();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        Lending lending =
                new Lending(
                        () -> {
                            // By another thread than the poller, which waits for it here.
                            Thread other =
                                    new Thread(
                                            () -> cancelled.complete(begun.join().cancel(true)),
                                            "canceller");
                            other.start();
                            cancelled.orTimeout(30, TimeUnit.SECONDS).join();
                        });
        MemoryDataPathProvider.lend(lending);
        try (CrailClient client = cluster().connect();
                CrailFile file = open(client)) {
            CrailFuture<CrailView> view = file.viewAsync(0, spare);
            begun.complete(view);
            assertThatThrownBy(view::join).isInstanceOf(CancellationException.class);
            assertThat(cancelled.get(30, TimeUnit.SECONDS)).isTrue();
            // What comes next finds the poller free again.
            MemoryDataPathProvider.lend(null);
            assertThat(readAll(client, "/f")).isEqualTo(content);
            assertThat(lending.made()).isEqualTo(1);
            assertThat(lending.open()).isZero();
            assertThat(client.clientStatistics().checksumFailures()).isZero();
            assertThat(client.clientStatistics().over("memory").bytesLent()).isZero();
        }
        assertThat(isUntouched()).isTrue();
    }
}
