// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.data.WriteChecksums;
import io.crail.client.spi.BytesToWrite;
import io.crail.protocol.block.BlockReference;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies without a transfer: what they do, what they leave undone, and their end. */
@Timeout(60)
class CopiesNowTest {
    private static final int SLOTS = 2;

    @TempDir Path directory;
    private ServerMemory memory;
    private SessionFile session;
    private Attachment attachment;
    private volatile Runnable afterCopy = () -> {};
    private final CopiesNow copies = new CopiesNow();

    @SuppressWarnings("NullAway.Init") // Set before each test.
    CopiesNowTest() {}

    @BeforeEach
    void attach() throws IOException {
        memory = ServerMemory.create(directory);
        session =
                SessionFile.create(
                        directory, ServerMemory.CLUSTER, 9, 1, SLOTS, () -> afterCopy.run());
        attachment = new Attachment(ServerMemory.CLUSTER, memory.attachReply(), session);
        attachment.map(memory.reference(0));
    }

    @AfterEach
    void release() {
        attachment.release();
        session.discard();
        assertThat(SegmentMappings.count()).isZero();
    }

    private boolean write(BlockReference block, ByteBuffer source) {
        return copies.write(attachment, block, 0, WriteChecksums.toBeMade(block, 0, source));
    }

    /** What is left undone is neither copied nor summed: a transfer will do both. */
    private boolean writeUntouched(@Nullable Attachment to, BlockReference block, int offset) {
        BytesToWrite untouched =
                new BytesToWrite() {
                    @Override
                    public int length() {
                        return ServerMemory.BLOCK;
                    }

                    @Override
                    public void copyInto(ByteBuffer memory, int at) {
                        throw new AssertionError("copied");
                    }

                    @Override
                    public int[] checksums() {
                        throw new AssertionError("summed");
                    }
                };
        return copies.write(to, block, offset, untouched);
    }

    private static ByteBuffer heap(ByteBuffer content) {
        return ByteBuffer.allocate(content.remaining()).put(content.duplicate()).flip();
    }

    private int pins() throws IOException {
        return memory.pins(session.name()).count();
    }

    @Test
    void copiesFromHeapAndDirectBuffers() throws IOException {
        BlockReference block = memory.reference(3);
        for (ByteBuffer source :
                new ByteBuffer[] {ServerMemory.content(block), heap(ServerMemory.content(block))}) {
            memory.scribble(block, 42);
            assertThat(write(block, source)).isTrue();
            assertThat(memory.isIntact(block)).isTrue();
            assertThat(source.remaining()).isEqualTo(ServerMemory.BLOCK);
            assertThat(pins()).isZero();
        }
    }

    @Test
    void leavesStaleBlocksAlone() {
        BlockReference old = memory.reference(3);
        memory.setGeneration(old.record(), old.generation() + 1);
        memory.fill(memory.reference(3));
        assertThat(writeUntouched(attachment, old, 0)).isFalse();
        assertThat(memory.isIntact(memory.reference(3))).isTrue();
    }

    @Test
    void leavesUndoneWhatMayNotBeOrIsNotThere() {
        BlockReference block = memory.reference(3);
        BlockReference readOnly =
                new BlockReference(
                        block.server(),
                        block.segment(),
                        block.offset(),
                        block.length(),
                        block.record(),
                        block.generation(),
                        block.key(),
                        BlockReference.READ);
        assertThat(writeUntouched(attachment, readOnly, 0)).isFalse();
        assertThat(writeUntouched(attachment, block, 1)).isFalse();
        assertThat(writeUntouched(null, block, 0)).isFalse();
        BlockReference elsewhere =
                new BlockReference(
                        1, 55, 0, block.length(), 0, block.generation(), 0, block.rights());
        assertThat(writeUntouched(attachment, elsewhere, 0)).isFalse();
    }

    @Test
    void aWriteThatFindsNoSlotIsLeftUndone() throws IOException {
        BlockReference block = memory.reference(3);
        MappedSegment segment = attachment.map(block);
        int[] taken = new int[SLOTS];
        for (int i = 0; i < SLOTS; i++) {
            taken[i] = session.pin(segment, block.record(), block.generation(), false);
        }
        assertThat(writeUntouched(attachment, block, 0)).isFalse();
        for (int slot : taken) {
            session.unpin(slot);
        }
        assertThat(write(block, ServerMemory.content(block))).isTrue();
    }

    @Test
    void theEndWaitsForACopyAndNothingIsCopiedAfterwards() throws InterruptedException {
        BlockReference block = memory.reference(3);
        CountDownLatch copying = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean copied = new AtomicBoolean();
        afterCopy =
                () -> {
                    copying.countDown();
                    copied.set(awaited(goOn));
                };
        CompletableFuture<Boolean> copy =
                CompletableFuture.supplyAsync(() -> write(block, ServerMemory.content(block)));
        copying.await();
        copies.end(1); // of a stopped thread, as it were: does not wait for ever
        AtomicBoolean copiedBefore = new AtomicBoolean();
        Thread ending =
                new Thread(
                        () -> {
                            copies.end(TimeUnit.SECONDS.toNanos(50));
                            copiedBefore.set(copied.get());
                        });
        ending.start();
        Awaitility.await().until(() -> ending.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        ending.join();
        assertThat(copiedBefore).isTrue();
        assertThat(copy.join()).isTrue();
        assertThat(write(block, ServerMemory.content(block))).isFalse();
    }

    @Test
    void anInterruptedThreadStillEndsThem() {
        Thread.currentThread().interrupt();
        copies.end(TimeUnit.SECONDS.toNanos(50));
        assertThat(Thread.interrupted()).isTrue();
        BlockReference block = memory.reference(3);
        assertThat(write(block, ServerMemory.content(block))).isFalse();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
