// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.CrailException;
import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.Fabrics;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.TargetConfig;
import io.crail.nvmf.target.backing.Allocation;
import io.crail.protocol.authentication.Credentials;
import io.crail.storage.spi.FreedListener;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierContext;
import io.crail.storage.spi.TierSegment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Our target, run as a mere one, and tiers at its namespace, whose clock only the test moves. */
final class ExternalFixture implements AutoCloseable {
    static final String NQN = "nqn.2026-11.example:mere";
    static final UUID CLUSTER = new UUID(11, 12);
    static final UUID IDENTITY = new UUID(21, 22);
    static final int KEEP_ALIVE_MILLIS = 1_000;

    final NvmeTarget target;
    private final AtomicLong clock = new AtomicLong();
    private final NvmeInitiator initiator;

    ExternalFixture(Path file, long bytes) throws IOException {
        target =
                NvmeTarget.start(
                        TargetConfig.builder(
                                        NQN,
                                        NamespaceConfig.of(file, bytes)
                                                .withAllocation(Allocation.SPARSE))
                                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                                .anyHost(true)
                                .build());
        initiator = new NvmeInitiator(InitiatorConfig.of(new UUID(1, 1)));
    }

    int port() throws IOException {
        return target.address().getPort();
    }

    Map<String, String> options() throws IOException {
        Map<String, String> options = new HashMap<>();
        options.put("target", "tcp:127.0.0.1:" + port());
        options.put("nqn", NQN);
        options.put("namespace", "1");
        options.put("keep_alive_millis", Integer.toString(KEEP_ALIVE_MILLIS));
        options.put("transport", "nio");
        return options;
    }

    static TierContext context(UUID identity, boolean format, Map<String, String> options) {
        return new TierContext(
                identity,
                Path.of("."),
                1 << 20,
                1 << 20,
                format,
                "127.0.0.1",
                0,
                List.of("127.0.0.1"),
                ServiceLimits.DEFAULT,
                Credentials.NONE,
                options);
    }

    /** A tier that has joined. */
    record Joined(
            StorageTier tier,
            CompletableFuture<TierSegment> segment,
            CompletableFuture<CrailException> failed)
            implements AutoCloseable {
        @Override
        public void close() {
            tier.close();
        }

        /** Frees a block; done with its new generation. */
        Freeing free(int record) throws Exception {
            return free(record, 64 << 10);
        }

        Freeing free(int record, int length) throws Exception {
            TierSegment known = segment.get();
            long generation = ((long) known.incarnation() << 32) | known.counters()[record];
            Freeing freeing = new Freeing();
            tier.revoke(0, record, length, generation, freeing);
            return freeing;
        }
    }

    /** What is heard of a block. */
    static final class Freeing implements FreedListener {
        final CompletableFuture<Long> freed = new CompletableFuture<>();
        final CompletableFuture<Void> held = new CompletableFuture<>();

        @Override
        public void freed(long generation) {
            freed.complete(generation);
        }

        @Override
        public void held() {
            held.complete(null);
        }
    }

    Joined open() throws IOException {
        return open(IDENTITY, false, true);
    }

    Joined open(UUID identity, boolean format, boolean reservations) throws IOException {
        return open(
                identity,
                format,
                reservations ? UnaryOperator.identity() : AlteredFabric::unreserved);
    }

    Joined open(UUID identity, boolean format, UnaryOperator<Fabric> altered) throws IOException {
        return open(context(identity, format, options()), altered);
    }

    Joined open(TierContext context, UnaryOperator<Fabric> altered) throws IOException {
        StorageTier tier =
                ExternalTierOpening.open(
                        context,
                        ExternalOptions.of(context),
                        altered.apply(Fabrics.open("tcp")),
                        new SecureRandom(),
                        clock::get);
        Joined joined = new Joined(tier, new CompletableFuture<>(), new CompletableFuture<>());
        boolean done = false;
        try {
            tier.join(
                    CLUSTER,
                    new SegmentListener() {
                        @Override
                        public void ready(TierSegment ready) {
                            joined.segment.complete(ready);
                        }

                        @Override
                        public void complete() {}

                        @Override
                        public void failed(CrailException cause) {
                            joined.failed.complete(cause);
                        }
                    });
            done = true;
            return joined;
        } finally {
            if (!done) {
                tier.close();
            }
        }
    }

    /** Moves the clock of all tiers. */
    void jump(Duration by) {
        clock.addAndGet(by.toNanos());
    }

    /** A host that knows nothing of crail. */
    NvmeController host(UUID id) throws IOException {
        return initiator.connect(
                new NvmeAddress("127.0.0.1", port(), NQN), InitiatorConfig.of(id).withRetries(0));
    }

    @Override
    public void close() throws IOException {
        initiator.close();
        target.close();
    }
}
