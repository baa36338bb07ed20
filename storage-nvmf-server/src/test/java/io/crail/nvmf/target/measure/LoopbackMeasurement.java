// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.measure;

import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeFuture;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.TargetConfig;
import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.target.backing.BackingFile;
import io.crail.nvmf.target.backing.DirectIo;
import io.crail.nvmf.target.backing.NewBackingFile;
import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares our initiator on our target, in one process, with threads on the same file: 4 KiB random
 * reads at depths 1 and 32, 1 MiB sequential reads and writes at depth 8. Not a test: it says what
 * this machine gave at this moment.
 *
 * <p>Arguments: file, MiB, seconds for each row. Properties: workers, loops.
 */
final class LoopbackMeasurement {
    private static final String SUBSYSTEM = "nqn.2026-11.io.crail:measure";
    private static final int SMALL = 4096;
    private static final int LARGE = 1 << 20;

    private final Path file;
    private final long bytes;
    private final long nanos;

    private LoopbackMeasurement(Path file, long bytes, long seconds) {
        this.file = file;
        this.bytes = bytes;
        this.nanos = TimeUnit.SECONDS.toNanos(seconds);
    }

    /** One access of a row, for the {@code index}th of a worker. */
    private interface Access {
        void run(BackingFile medium, ByteBuffer buffer, long index) throws IOException;
    }

    public static void main(String[] args) throws Exception {
        LoopbackMeasurement measurement =
                new LoopbackMeasurement(
                        Path.of(args[0]), Long.parseLong(args[1]) << 20, Long.parseLong(args[2]));
        NewBackingFile.ensure(measurement.file, measurement.bytes, Allocation.WRITTEN);
        measurement.direct();
        measurement.overTheTarget();
    }

    private long position(boolean random, int size, long index) {
        long places = bytes / size;
        return (random ? ThreadLocalRandom.current().nextLong(places) : index % places) * size;
    }

    private void direct() throws Exception {
        try (BackingFile medium = BackingFile.open(file, DirectIo.REQUIRED)) {
            Access read =
                    (on, buffer, index) ->
                            on.read(position(true, SMALL, index), buffer.clear().limit(SMALL));
            Access stream =
                    (on, buffer, index) -> on.read(position(false, LARGE, index), buffer.clear());
            Access write =
                    (on, buffer, index) -> on.write(position(false, LARGE, index), buffer.clear());
            row("file   4K read  depth 1 ", SMALL, threads(medium, 1, read));
            row("file   4K read  depth 32", SMALL, threads(medium, 32, read));
            row("file   1M read  depth 8 ", LARGE, threads(medium, 8, stream));
            row("file   1M write depth 8 ", LARGE, threads(medium, 8, write));
        }
    }

    private long threads(BackingFile medium, int count, Access access) throws Exception {
        AtomicLong done = new AtomicLong();
        AtomicLong next = new AtomicLong();
        long end = System.nanoTime() + nanos;
        List<Thread> threads = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            Thread thread =
                    new Thread(
                            () -> {
                                ByteBuffer buffer = DataPool.aligned(LARGE);
                                try {
                                    while (System.nanoTime() < end) {
                                        access.run(medium, buffer, next.getAndIncrement());
                                        done.incrementAndGet();
                                    }
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            threads.add(thread);
            thread.start();
        }
        for (Thread each : threads) {
            each.join();
        }
        return done.get();
    }

    private void row(String name, int size, long count) {
        double seconds = nanos / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%s  %9.0f/s  %8.1f MB/s%n",
                name,
                count / seconds,
                count * (double) size / seconds / 1e6);
    }

    private void overTheTarget() throws Exception {
        TargetConfig config =
                TargetConfig.builder(SUBSYSTEM, NamespaceConfig.of(file, 0))
                        .anyHost(true)
                        .workers(Integer.getInteger("workers", 32))
                        .eventLoops(Integer.getInteger("loops", 1))
                        .build();
        try (NvmeTarget target = NvmeTarget.start(config);
                NvmeInitiator initiator = new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()));
                NvmeController controller =
                        initiator.connect(
                                new NvmeAddress(
                                        "127.0.0.1", target.address().getPort(), SUBSYSTEM))) {
            NvmeNamespace namespace = controller.namespace(1);
            for (String round : new String[] {"warm-up", "target "}) {
                row(round + " 4K read  depth 1 ", SMALL, calls(namespace, 1, SMALL, true, false));
                row(round + " 4K read  depth 32", SMALL, calls(namespace, 32, SMALL, true, false));
                row(round + " 1M read  depth 8 ", LARGE, calls(namespace, 8, LARGE, false, false));
                row(round + " 1M write depth 8 ", LARGE, calls(namespace, 8, LARGE, false, true));
            }
        }
    }

    private long calls(NvmeNamespace namespace, int depth, int size, boolean random, boolean write)
            throws Exception {
        ArrayDeque<ByteBuffer> buffers = new ArrayDeque<>();
        ArrayDeque<NvmeFuture<Void>> calls = new ArrayDeque<>();
        for (int index = 0; index < depth; index++) {
            buffers.add(ByteBuffer.allocateDirect(size));
        }
        long done = 0;
        long index = 0;
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            while (calls.size() < depth) {
                ByteBuffer buffer = buffers.element();
                buffers.add(buffers.remove());
                long block = position(random, size, index++) / SMALL;
                calls.add(write ? namespace.write(block, buffer) : namespace.read(block, buffer));
            }
            calls.remove().await();
            done++;
        }
        for (NvmeFuture<Void> each : calls) {
            each.await();
        }
        return done;
    }
}
