// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.FabricCommand;
import io.crail.nvmf.fabric.FabricConnection;
import io.crail.nvmf.fabric.FabricHost;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.Fabrics;
import io.crail.nvmf.fabric.PendingCall;
import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeFuture;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException;
import io.crail.nvmf.rdma.RdmaQueues;
import io.crail.nvmf.wire.command.IoOpcode;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Runs in the guest: our initiator over RDMA with the kernel's target, which it takes away and
 * brings back by nvmet.sh. Prints a line for each part that went well; the first that does not ends
 * it with a stack trace and status 1.
 */
final class RdmaInitiatorMain {
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final int BLOCK = 512;
    private static final int LANES = 16;

    private final String host;
    private final int port;
    private final NvmeAddress address;
    private final Path device;
    private final InitiatorConfig config =
            InitiatorConfig.of(new UUID(7, 7))
                    .withQueues(2, 32, 4096)
                    .withConnectTimeouts(
                            Duration.ofSeconds(20), Duration.ofSeconds(120), Duration.ofMillis(100))
                    .withCommandTimeouts(
                            Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(90));

    private RdmaInitiatorMain(String host, int port, String nqn, Path device) {
        this.host = host;
        this.port = port;
        this.address = new NvmeAddress(host, port, nqn);
        this.device = device;
    }

    /** Arguments: address, port, NQN, the device behind namespace 1. */
    public static void main(String[] arguments) throws Exception {
        RdmaInitiatorMain tests =
                new RdmaInitiatorMain(
                        arguments[0],
                        Integer.parseInt(arguments[1]),
                        arguments[2],
                        Path.of(arguments[3]));
        try (NvmeInitiator initiator = new NvmeInitiator(tests.config, RdmaQueues.open())) {
            tests.subsystemIsDiscovered(initiator);
            tests.portThatNobodyListensAtRefuses(initiator);
            NvmeController controller = initiator.connect(tests.address);
            tests.writesOfAllSizesAreWhatTheDeviceHas(controller);
            tests.hundredsOfCommandsAreUnderWayAtATime(controller);
            tests.blocksAreFlushedAndDeallocated(controller);
            tests.targetThatGoesAndComesBackIsFoundAgain(controller);
            controller.close();
        }
        try (Fabric fabric = Fabrics.open(Fabrics.RDMA)) {
            tests.fabricMovesTaggedCommands(fabric);
            tests.lossEndsCommandsOfAFabric(fabric);
        }
        said("all is closed");
    }

    private static void await(BooleanSupplier condition, String what) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin >= BOUND.toNanos()) {
                throw new AssertionError(what + "; meanwhile:" + stacks());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** What the initiator's threads do. */
    private static String stacks() {
        StringBuilder text = new StringBuilder();
        Thread.getAllStackTraces()
                .forEach(
                        (thread, stack) -> {
                            if (thread.getName().startsWith("crail-")) {
                                text.append("\n  ")
                                        .append(thread.getName())
                                        .append(' ')
                                        .append(List.of(stack));
                            }
                        });
        return text.toString();
    }

    private static void said(String what) {
        System.out.println("ok: " + what);
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private static ByteBuffer random(int bytes, long seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return ByteBuffer.allocateDirect(bytes).put(content).flip();
    }

    private void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        check(process.waitFor(60, TimeUnit.SECONDS), String.join(" ", command) + " does not end");
        check(process.exitValue() == 0, String.join(" ", command) + " failed");
    }

    private void closeTarget() throws Exception {
        run("nvmet.sh", "close", "--port", Integer.toString(port));
    }

    private void serve() throws Exception {
        run(
                "nvmet.sh",
                "listen",
                "--transport",
                "rdma",
                "--address",
                host,
                "--port",
                Integer.toString(port),
                "--nqn",
                address.subsystem());
    }

    /** What the device has, read through the page cache, which the target does not use. */
    private void checkDevice(long firstByte, ByteBuffer expected) throws Exception {
        run("sh", "-c", "echo 3 >/proc/sys/vm/drop_caches");
        ByteBuffer found = ByteBuffer.allocate(expected.remaining());
        try (var channel = Files.newByteChannel(device)) {
            channel.position(firstByte);
            int count = 0;
            while (found.hasRemaining() && count >= 0) {
                count = channel.read(found);
            }
        }
        check(found.flip().equals(expected), "the device has something else at " + firstByte);
    }

    private void subsystemIsDiscovered(NvmeInitiator initiator) throws Exception {
        check(
                initiator.discover(host, port).stream()
                        .anyMatch(each -> each.subsystem().equals(address.subsystem())),
                "not discovered");
        said("discovery");
    }

    private void portThatNobodyListensAtRefuses(NvmeInitiator initiator) throws Exception {
        try {
            initiator.connect(new NvmeAddress(host, port + 1000, address.subsystem())).close();
            throw new AssertionError("connected to nobody");
        } catch (NvmeConnectException e) {
            check(e.toString().contains("refused"), e.toString());
        }
        said("refused connection");
    }

    private void writesOfAllSizesAreWhatTheDeviceHas(NvmeController controller) throws Exception {
        NvmeNamespace namespace = controller.namespace(1);
        check(namespace.blockSize() == BLOCK, "blocks of " + namespace.blockSize());
        check(
                controller.info().maxTransferBytes() == 256 << 10,
                "transfers of " + controller.info().maxTransferBytes());
        long block = 0;
        // Within one unit of the registered memory, more than one, more than a command, than all.
        for (int size : new int[] {BLOCK, 4096 + BLOCK, 256 << 10, 1 << 20, 5 << 20}) {
            ByteBuffer content = random(size, size);
            namespace.write(block, content).await();
            checkDevice(block * BLOCK, content);
            ByteBuffer back = ByteBuffer.allocateDirect(size);
            namespace.read(block, back).await();
            check(back.equals(content), "read something else");
            block += size / BLOCK;
        }
        said("writes and reads of all sizes");
    }

    private void hundredsOfCommandsAreUnderWayAtATime(NvmeController controller) throws Exception {
        NvmeNamespace namespace = controller.namespace(1);
        int bytes = 4096;
        int count = 500;
        ByteBuffer content = random(bytes * count, 1);
        List<NvmeFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(namespace.write(i * 8L, content.slice(i * bytes, bytes)));
        }
        for (NvmeFuture<Void> each : calls) {
            each.await();
        }
        checkDevice(0, content);
        ByteBuffer back = ByteBuffer.allocateDirect(bytes * count);
        calls.clear();
        for (int i = 0; i < count; i++) {
            calls.add(namespace.read(i * 8L, back.slice(i * bytes, bytes)));
        }
        for (NvmeFuture<Void> each : calls) {
            each.await();
        }
        check(back.equals(content), "read something else");
        said("hundreds of commands at a time");
    }

    private void blocksAreFlushedAndDeallocated(NvmeController controller) throws Exception {
        NvmeNamespace namespace = controller.namespace(1);
        namespace.flush().await();
        namespace.deallocate(List.of(new BlockRange(0, 8), new BlockRange(16, 8))).await();
        namespace.flush().await();
        said("flush and deallocate");
    }

    private void targetThatGoesAndComesBackIsFoundAgain(NvmeController controller)
            throws Exception {
        NvmeNamespace namespace = controller.namespace(1);
        ByteBuffer content = random(1 << 20, 3);
        namespace.write(0, content).await();
        namespace.flush().await();
        List<ByteBuffer> read = new ArrayList<>();
        EndlessLoad load =
                new EndlessLoad(
                        LANES,
                        lane -> {
                            ByteBuffer back = ByteBuffer.allocateDirect(1 << 20);
                            read.add(back);
                            return completion -> namespace.read(0, back, completion);
                        });
        closeTarget();
        await(() -> controller.state() != NvmeController.State.LIVE, "the loss is not noticed");
        serve();
        await(() -> controller.state() == NvmeController.State.LIVE, "it does not come back");
        long before = load.succeeded();
        await(
                () -> load.succeeded() > before || !load.failures().isEmpty(),
                "nothing is read after the loss, none of " + LANES + " lanes has failed");
        load.stop();
        // Reads are repeated when the target is back, whatever became of them.
        var failures = load.awaitEnd(BOUND);
        check(failures.isEmpty(), "reads failed: " + failures);
        for (ByteBuffer each : read) {
            check(each.equals(content), "read something else after the loss");
        }
        said("target that went and came back");
    }

    private FabricConnection connect(Fabric fabric) throws Exception {
        return fabric.connect(
                address,
                new FabricHost(
                        "nqn.2026-11.example:session",
                        new UUID(8, 8),
                        FabricHost.Digests.NONE,
                        false,
                        1,
                        32,
                        1024,
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30)));
    }

    private void fabricMovesTaggedCommands(Fabric fabric) throws Exception {
        try (FabricConnection connection = connect(fabric)) {
            check(connection.keepAlive().toSeconds() == 15, "not kept alive");
            FabricNamespace namespace = connection.namespace(1);
            ByteBuffer content = random(8192, 4);
            PendingCall written = new PendingCall();
            namespace.command(IoOpcode.WRITE, 16, content, (entry, at) -> {}, written).start();
            written.await(BOUND);
            ByteBuffer back = ByteBuffer.allocateDirect(8192);
            PendingCall read = new PendingCall();
            namespace.command(IoOpcode.READ, 16, back, (entry, at) -> {}, read).start();
            read.await(BOUND);
            check(back.equals(content), "read something else");

            ByteBuffer mine = ByteBuffer.allocateDirect(8192);
            PendingCall cutOff = new PendingCall();
            FabricCommand command =
                    namespace.command(IoOpcode.READ, 16, mine, (entry, at) -> {}, cutOff);
            command.detach();
            command.start();
            cutOff.await(BOUND);
            check(mine.equals(ByteBuffer.allocate(8192)), "a detached buffer was written");
        }
        said("commands of a fabric");
    }

    private void lossEndsCommandsOfAFabric(Fabric fabric) throws Exception {
        try (FabricConnection connection = connect(fabric)) {
            FabricNamespace namespace = connection.namespace(1);
            EndlessLoad load =
                    new EndlessLoad(
                            LANES,
                            lane -> {
                                ByteBuffer content = random(64 << 10, lane);
                                return completion ->
                                        namespace
                                                .command(
                                                        IoOpcode.WRITE,
                                                        lane * 128L,
                                                        content,
                                                        (entry, at) -> {},
                                                        completion)
                                                .start();
                            });
            closeTarget();
            var failures = load.awaitEnd(BOUND);
            check(failures.size() == LANES, failures.size() + " lanes failed");
            for (NvmeException each : failures) {
                check(
                        each instanceof NvmeOutcomeUnknownException
                                || each instanceof NvmeConnectionLostException,
                        "failed with " + each);
            }
            check(
                    failures.stream().anyMatch(NvmeOutcomeUnknownException.class::isInstance),
                    "nothing was under way: " + failures);
        }
        serve();
        connect(fabric).close();
        said("loss of a connection of a fabric");
    }
}
