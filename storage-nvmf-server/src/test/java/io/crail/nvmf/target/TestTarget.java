// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.target.host.TestHost;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A target over a sparse file, whose clock and faults belong to a test. */
public final class TestTarget implements AutoCloseable {
    public static final long BYTES = 16 << 20;

    private final Path file;
    private final AtomicLong nanos = new AtomicLong();
    private volatile MediumHook hook = MediumHook.NONE;
    private final int blockBytes;
    private final UnaryOperator<TargetConfigBuilder> options;
    private @Nullable NvmeTarget target;
    private @Nullable InetSocketAddress bind;

    public TestTarget(Path directory, int blockBytes, UnaryOperator<TargetConfigBuilder> options)
            throws IOException {
        this.file = directory.resolve("medium");
        this.blockBytes = blockBytes;
        this.options = options;
        start();
    }

    public TestTarget(Path directory) throws IOException {
        this(directory, 4096, each -> each);
    }

    public void start() throws IOException {
        NamespaceConfig namespace =
                NamespaceConfig.of(file, BYTES)
                        .withBlockBytes(blockBytes)
                        .withAllocation(Allocation.SPARSE);
        TargetConfigBuilder builder =
                TargetConfig.builder(TestHost.SUBSYSTEM, namespace)
                        .anyHost(true)
                        .eventLoops(2)
                        .workers(8)
                        .dataMemoryBytes(16 << 20);
        if (bind != null) {
            builder.bind(bind);
        }
        target =
                NvmeTarget.start(
                        options.apply(builder).build(),
                        new TargetSurroundings(
                                nanos::get,
                                (access, position, bytes) -> hook.before(access, position, bytes)));
    }

    /** Stops and starts again, at the same address. */
    public void restart() throws IOException {
        InetSocketAddress before = address();
        target().close();
        bind = before;
        start();
    }

    public NvmeTarget target() {
        if (target == null) {
            throw new IllegalStateException("stopped");
        }
        return target;
    }

    public InetSocketAddress address() throws IOException {
        return target().address();
    }

    public Path file() {
        return file;
    }

    public byte[] fileBytes(long position, int length) throws IOException {
        try (var channel = Files.newByteChannel(file)) {
            var buffer = ByteBuffer.allocate(length);
            channel.position(position);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // until it is full
            }
            return buffer.array();
        }
    }

    public void hook(MediumHook value) {
        hook = value;
    }

    public void moveClock(long byNanos) {
        nanos.addAndGet(byNanos);
    }

    public TestHost host() throws IOException {
        return TestHost.withQueue(address(), UUID.randomUUID(), TestHost.Options.PLAIN);
    }

    public static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        if (target != null) {
            target.close();
        }
    }
}
