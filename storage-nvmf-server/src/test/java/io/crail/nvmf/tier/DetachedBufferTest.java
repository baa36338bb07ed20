// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.initiator.TaggedCommand;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.layout.CommandTag;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.tier.TierFixture.Host;
import io.crail.nvmf.wire.command.IoOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command that was cut off from its buffer, wherever it is, leaves it alone and goes on. */
@Timeout(60)
class DetachedBufferTest {
    private static final int BLOCK = 1 << 20;

    /** More than a queue has places, so that some wait in the initiator. */
    private static final int COMMANDS = 200;

    private static final int LENGTH = 64 << 10;

    @TempDir Path directory;

    /** Accesses to the data wait while there is a latch. */
    private final AtomicReference<@Nullable CountDownLatch> latch = new AtomicReference<>();

    private void await(MediumHook.Access access, long position, int bytes) throws IOException {
        CountDownLatch current = latch.get();
        if (current != null && position >= BLOCK) {
            try {
                if (!current.await(50, TimeUnit.SECONDS)) {
                    throw new IOException("nobody let it go");
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private static ByteBuffer buffer(int fill) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH);
        fill(buffer, fill);
        return buffer;
    }

    private static void fill(ByteBuffer buffer, int fill) {
        for (int i = 0; i < LENGTH; i++) {
            buffer.put(i, (byte) fill);
        }
    }

    private static boolean isFilled(ByteBuffer buffer, int fill) {
        for (int i = 0; i < LENGTH; i++) {
            if (buffer.get(i) != (byte) fill) {
                return false;
            }
        }
        return true;
    }

    /** Where a command goes: each has 64 KiB of its own. */
    private static CommandTag tag(Host host, int index) {
        return new CommandTag(256 * (index / 16 % 6), BLOCK, host.generation(1));
    }

    private static long position(Host host, int index) {
        return host.layout().dataOffset(tag(host, index).record()) + (long) index % 16 * LENGTH;
    }

    private static TaggedCommand command(
            Host host,
            int opcode,
            int index,
            ByteBuffer buffer,
            CompletableFuture<@Nullable NvmeException> done) {
        return host.namespace()
                .command(
                        opcode,
                        position(host, index) / 4096,
                        buffer,
                        tag(host, index)::encode,
                        done::complete);
    }

    @Test
    void writesSendWhatTheBufferHeldWhenItWasTakenBack() throws Exception {
        try (TierFixture fixture = TierFixture.open(directory, this::await).admitted();
                Host host = fixture.host(3)) {
            CountDownLatch stall = new CountDownLatch(1);
            latch.set(stall);
            List<CompletableFuture<@Nullable NvmeException>> all = new ArrayList<>();
            List<TaggedCommand> commands = new ArrayList<>();
            List<ByteBuffer> buffers = new ArrayList<>();
            // The last ones to each place write the same as those before them.
            for (int i = 0; i < COMMANDS; i++) {
                ByteBuffer buffer = buffer(1 + i % 96);
                CompletableFuture<@Nullable NvmeException> done = new CompletableFuture<>();
                TaggedCommand command = command(host, IoOpcode.WRITE, i % 96, buffer, done);
                command.start();
                commands.add(command);
                buffers.add(buffer);
                all.add(done);
            }
            for (int i = 0; i < COMMANDS; i++) {
                commands.get(i).detach();
                fill(buffers.get(i), 0x7F);
            }
            latch.set(null);
            stall.countDown();
            for (CompletableFuture<@Nullable NvmeException> each : all) {
                assertThat(each.get(50, TimeUnit.SECONDS)).isNull();
            }
            for (int i = 0; i < 96; i++) {
                ByteBuffer read = buffer(0);
                CompletableFuture<@Nullable NvmeException> done = new CompletableFuture<>();
                command(host, IoOpcode.READ, i, read, done).start();
                assertThat(done.get(50, TimeUnit.SECONDS)).isNull();
                assertThat(isFilled(read, 1 + i)).as("command %s", i).isTrue();
            }
        }
    }

    @Test
    void readsLeaveABufferAloneThatWasTakenBack() throws Exception {
        try (TierFixture fixture = TierFixture.open(directory, this::await).admitted();
                Host host = fixture.host(3)) {
            CountDownLatch stall = new CountDownLatch(1);
            latch.set(stall);
            List<CompletableFuture<@Nullable NvmeException>> all = new ArrayList<>();
            List<ByteBuffer> buffers = new ArrayList<>();
            for (int i = 0; i < COMMANDS; i++) {
                ByteBuffer buffer = buffer(0x7F);
                CompletableFuture<@Nullable NvmeException> done = new CompletableFuture<>();
                TaggedCommand command = command(host, IoOpcode.READ, i % 96, buffer, done);
                command.start();
                if (i % 2 == 0) {
                    command.detach();
                }
                buffers.add(buffer);
                all.add(done);
            }
            latch.set(null);
            stall.countDown();
            for (int i = 0; i < COMMANDS; i++) {
                assertThat(all.get(i).get(50, TimeUnit.SECONDS)).isNull();
                assertThat(isFilled(buffers.get(i), i % 2 == 0 ? 0x7F : 0)).isTrue();
            }
        }
    }
}
