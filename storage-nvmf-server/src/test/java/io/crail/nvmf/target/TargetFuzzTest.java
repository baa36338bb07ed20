// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.target.host.RawConnection;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.ConnectCommand;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.command.PropertyCommand;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.Property;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever bytes come, the target answers or closes, keeps serving others, and gets its memory
 * back. {@code -Dcrail.fuzz.seconds} says how long; {@code -Dcrail.fuzz.seed} repeats a run.
 */
class TargetFuzzTest {
    private static final int QUICK_SECONDS = 3;
    private static final int BLOCK = 4096;

    @TempDir Path directory;

    @Test
    void survivesAFewDamagedConnections() throws IOException {
        fuzz(QUICK_SECONDS);
    }

    @Test
    @Tag("faults")
    void survivesManyDamagedConnections() throws IOException {
        fuzz(Integer.getInteger("crail.fuzz.seconds", 30));
    }

    private void fuzz(int seconds) throws IOException {
        long seed = Long.getLong("crail.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try (TestTarget target = new TestTarget(directory);
                TestHost witness = target.host()) {
            int connections = 0;
            while (System.nanoTime() < end) {
                if (random.nextInt(3) > 0) {
                    attack(target, random);
                } else {
                    attackQueue(target, random);
                }
                if (++connections % 20 == 0) {
                    assertThat(witness.read(4000, 1, BLOCK).status()).as("seed " + seed).isZero();
                }
            }
            await().until(() -> target.target().statistics().connections() == 2);
            await().until(() -> target.target().statistics().dataBytes() == 0);
            assertThat(connections).isPositive();
        }
    }

    private static void attack(TestTarget target, Random random) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(target.address(), 60_000);
            socket.setSoTimeout(60_000);
            byte[] bytes =
                    random.nextInt(10) == 0 ? garbage(random) : damaged(valid(random), random);
            int at = 0;
            while (at < bytes.length) {
                int step = Math.min(bytes.length - at, 1 + random.nextInt(8000));
                socket.getOutputStream().write(bytes, at, step);
                at += step;
            }
            if (random.nextBoolean()) {
                socket.shutdownOutput();
                readToEnd(socket.getInputStream());
            }
        } catch (SocketException e) {
            // the target closed it, which is its right
        }
    }

    /** Damages what comes on an I/O queue that was connected as it should be. */
    private static void attackQueue(TestTarget target, Random random) throws IOException {
        UUID id = new UUID(2, random.nextInt(4));
        TestHost.Options options =
                TestHost.Options.PLAIN.withDigests(random.nextBoolean(), random.nextBoolean());
        try (TestHost host = TestHost.withQueue(target.address(), id, options)) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int command = 0; command < 10; command++) {
                ByteBuffer entry =
                        host.block(random.nextInt(12), random.nextInt(3000), 1 + random.nextInt(4));
                boolean inCapsule = random.nextBoolean();
                byte[] data = new byte[inCapsule ? BLOCK * (1 + random.nextInt(4)) : 0];
                if (inCapsule) {
                    SglDescriptor.encodeInCapsule(entry, SubmissionEntry.SGL, data.length);
                } else {
                    SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, BLOCK);
                }
                all.writeBytes(host.queue().connection().capsule(entry, data));
                if (random.nextInt(4) == 0) {
                    all.writeBytes(
                            host.queue()
                                    .connection()
                                    .data(
                                            random.nextInt(20),
                                            random.nextInt(8),
                                            new byte[BLOCK],
                                            0,
                                            BLOCK,
                                            random.nextBoolean()));
                }
            }
            host.queue().connection().sendBytes(damaged(all.toByteArray(), random));
            host.queue().connection().socket().shutdownOutput();
            readToEnd(host.queue().connection().socket().getInputStream());
        } catch (SocketException e) {
            // the target closed it, which is its right
        }
    }

    private static void readToEnd(InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 16];
        while (in.read(buffer) >= 0) {
            // until the target closes
        }
    }

    private static byte[] garbage(Random random) {
        byte[] bytes = new byte[random.nextInt(4096)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        for (int flips = random.nextInt(6); flips > 0; flips--) {
            // Most of the structure lies in the first bytes of each PDU; all of them have a chance.
            int at =
                    random.nextBoolean()
                            ? random.nextInt(bytes.length)
                            : random.nextInt(Math.min(bytes.length, 1600));
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : bytes[at] ^ 1);
        }
        return random.nextInt(4) == 0
                ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length))
                : bytes;
    }

    /** What a host sends until it reads and writes, and then some commands of an admin queue. */
    private static byte[] valid(Random random) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(RawConnection.initializeRequest(false, false, random.nextInt(4)));
        UUID id = new UUID(1, random.nextInt(4));
        ByteBuffer data = ByteBuffer.allocate(ConnectData.SIZE);
        ConnectData.encode(
                data, 0, id, ConnectData.ANY_CONTROLLER, TestHost.SUBSYSTEM, TestHost.nqn(id));
        ByteBuffer connect = TestQueue.entry();
        ConnectCommand.encode(connect, 0, 1, 0, 32, random.nextInt(5), random.nextInt(3) * 1000);
        SglDescriptor.encodeInCapsule(connect, SubmissionEntry.SGL, ConnectData.SIZE);
        all.writeBytes(capsule(connect, data.array()));
        ByteBuffer enable = TestQueue.entry();
        PropertyCommand.encodeSet(
                enable, 0, 2, Property.CC.offset(), 4, ControllerConfiguration.enabled());
        all.writeBytes(capsule(enable, new byte[0]));
        for (int command = random.nextInt(20); command > 0; command--) {
            all.writeBytes(capsule(adminCommand(random), new byte[0]));
        }
        return all.toByteArray();
    }

    private static ByteBuffer adminCommand(Random random) {
        ByteBuffer entry = TestQueue.entry();
        int id = random.nextInt(20);
        switch (random.nextInt(5)) {
            case 0 -> {
                IdentifyCommand.encode(entry, 0, id, random.nextInt(3), random.nextInt(8));
                SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, 4096);
            }
            case 1 -> {
                int length = 4 + random.nextInt(1000) * 4;
                LogPageCommand.encode(
                        entry,
                        0,
                        id,
                        -1,
                        random.nextInt(8),
                        length,
                        random.nextInt(200) * 4L,
                        false);
                SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, length);
            }
            case 2 ->
                    FeaturesCommand.encodeSet(
                            entry, 0, id, 0, FeatureId.NUMBER_OF_QUEUES, random.nextInt());
            case 3 -> FeaturesCommand.encodeGet(entry, 0, id, 0, random.nextInt(32), 0);
            default -> {
                BlockCommand.encode(entry, 0, IoOpcode.READ, id, 1, 0, 1);
                SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, BLOCK);
            }
        }
        return entry;
    }

    private static byte[] capsule(ByteBuffer entry, byte[] data) {
        return RawConnection.plainCapsule(entry, data);
    }
}
