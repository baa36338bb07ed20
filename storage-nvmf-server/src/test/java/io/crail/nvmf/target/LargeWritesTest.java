// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeFuture;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.target.host.TestHost;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large writes go to the medium by four mebibytes. */
class LargeWritesTest {
    private static final int BLOCK = 4096;
    private static final int PIECE = 1 << 20;
    private static final int PIECES = 8;
    private static final int AT_A_TIME = 4;

    @TempDir private Path directory;

    /** Keeps large writes at the medium until they are let go. */
    private static final class Keeper {
        private final Semaphore let = new Semaphore(0);
        private final AtomicInteger inside = new AtomicInteger();

        void before(int bytes) throws IOException {
            if (bytes <= BLOCK) {
                return;
            }
            inside.incrementAndGet();
            try {
                if (!let.tryAcquire(30, TimeUnit.SECONDS)) {
                    throw new IOException("nobody let it go");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    private static ByteBuffer piece(int seed, int bytes) {
        return ByteBuffer.allocateDirect(bytes).put(TestTarget.random(seed, bytes)).flip();
    }

    private NvmeController connect(NvmeInitiator initiator, TestTarget target) throws IOException {
        return initiator.connect(
                new NvmeAddress("127.0.0.1", target.address().getPort(), TestHost.SUBSYSTEM));
    }

    private static List<NvmeFuture<Void>> begin(NvmeNamespace namespace, int pieces) {
        List<NvmeFuture<Void>> large = new ArrayList<>();
        for (int i = 0; i < pieces; i++) {
            large.add(namespace.write((long) i * PIECE / BLOCK, piece(i, PIECE)));
        }
        return large;
    }

    @Test
    void othersWaitWithoutKeepingSmallOnesAndEveryByteArrives() throws Exception {
        Keeper keeper = new Keeper();
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = connect(initiator, target)) {
            target.hook((access, position, bytes) -> keeper.before(bytes));
            NvmeNamespace namespace = controller.namespace(1);
            List<NvmeFuture<Void>> large = begin(namespace, PIECES);
            await().untilAtomic(keeper.inside, org.hamcrest.Matchers.is(AT_A_TIME));
            // Behind them in the queue, so all of them have come when it is through.
            namespace.write((long) PIECES * PIECE / BLOCK, piece(PIECES, BLOCK)).await();
            assertThat(keeper.inside).hasValue(AT_A_TIME);
            keeper.let.release(PIECES);
            for (NvmeFuture<Void> each : large) {
                each.await();
            }
            assertThat(keeper.inside).hasValue(PIECES);
            for (int i = 0; i < PIECES; i++) {
                assertThat(target.fileBytes((long) i * PIECE, PIECE))
                        .isEqualTo(TestTarget.random(i, PIECE));
            }
            assertThat(target.fileBytes((long) PIECES * PIECE, BLOCK))
                    .isEqualTo(TestTarget.random(PIECES, BLOCK));
        }
    }

    @Test
    void theEndOfOneLetsInAsManyAsThereIsRoomFor() throws Exception {
        Keeper keeper = new Keeper();
        try (TestTarget target = new TestTarget(directory);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller = connect(initiator, target)) {
            target.hook((access, position, bytes) -> keeper.before(bytes));
            NvmeNamespace namespace = controller.namespace(1);
            List<NvmeFuture<Void>> large = begin(namespace, AT_A_TIME);
            await().untilAtomic(keeper.inside, org.hamcrest.Matchers.is(AT_A_TIME));
            int quarter = PIECE / 4;
            for (int i = 0; i < 6; i++) {
                long position = (long) AT_A_TIME * PIECE + (long) i * quarter;
                large.add(namespace.write(position / BLOCK, piece(PIECES + i, quarter)));
            }
            // Behind them in the queue, so all of them have come when it is through.
            namespace.write((long) (PIECES - 1) * PIECE / BLOCK, piece(1, BLOCK)).await();
            assertThat(keeper.inside).hasValue(AT_A_TIME);
            keeper.let.release();
            await().untilAtomic(keeper.inside, org.hamcrest.Matchers.is(AT_A_TIME + 4));
            namespace.write((long) (PIECES - 1) * PIECE / BLOCK, piece(2, BLOCK)).await();
            assertThat(keeper.inside).hasValue(AT_A_TIME + 4);
            keeper.let.release(large.size());
            for (NvmeFuture<Void> each : large) {
                each.await();
            }
            assertThat(keeper.inside).hasValue(large.size());
            for (int i = 0; i < 6; i++) {
                assertThat(target.fileBytes((long) AT_A_TIME * PIECE + (long) i * quarter, quarter))
                        .isEqualTo(TestTarget.random(PIECES + i, quarter));
            }
        }
    }
}
