// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.CrailException;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.CommandTag;
import io.crail.nvmf.layout.FlashEndpoint;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.SessionHost;
import io.crail.nvmf.layout.Superblock;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.status.StatusCode;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.block.GrantSeal;
import io.crail.protocol.message.ServerTable.Endpoint;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierContext;
import io.crail.storage.spi.TierSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A tier on a file, and sessions that connect to it as hosts. */
final class TierFixture implements AutoCloseable {
    static final UUID CLUSTER = new UUID(11, 12);
    static final UUID IDENTITY = new UUID(21, 22);
    static final int SERVER = 5;
    static final byte[] KEY = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    private static final int SIZE = 8 << 20;

    final StorageTier tier;
    final CompletableFuture<TierSegment> segment = new CompletableFuture<>();
    private final NvmeInitiator initiator;

    private TierFixture(StorageTier tier) throws NvmeException {
        this.tier = tier;
        this.initiator = new NvmeInitiator(InitiatorConfig.of(new UUID(1, 1)));
    }

    /** What a tier in this directory is opened with; the file is beside it. */
    static TierContext context(Path directory, UUID identity, boolean format, int size) {
        Map<String, String> options = new HashMap<>();
        options.put("file", directory.resolve("crail.img").toString());
        options.put("allocation", "sparse");
        options.put("transport", "nio");
        return new TierContext(
                identity,
                directory,
                size,
                1 << 20,
                format,
                "127.0.0.1",
                0,
                List.of("127.0.0.1"),
                new ServiceLimits(
                        64,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        Duration.ofMillis(200)),
                Credentials.NONE,
                options);
    }

    static TierContext context(Path directory) {
        return context(directory, IDENTITY, false, SIZE);
    }

    /** Open and joined, but nobody is admitted. */
    static TierFixture open(Path directory, MediumHook faults) throws IOException {
        return open(context(directory), CLUSTER, faults);
    }

    static TierFixture open(TierContext context, UUID cluster, MediumHook faults)
            throws IOException {
        TierFixture made = new TierFixture(new NvmfTierProvider(faults).open(context));
        boolean joined = false;
        try {
            made.tier.join(
                    cluster,
                    new SegmentListener() {
                        @Override
                        public void ready(TierSegment ready) {
                            made.segment.complete(ready);
                        }

                        @Override
                        public void complete() {}

                        @Override
                        public void failed(CrailException cause) {
                            made.segment.completeExceptionally(cause);
                        }
                    });
            joined = true;
            return made;
        } finally {
            if (!joined) {
                made.close();
            }
        }
    }

    TierFixture admitted() throws CrailException {
        tier.admit(new Admission(CLUSTER, SERVER, KEY, 1));
        return this;
    }

    static long ticket(long session, byte[] key) {
        return new GrantSeal(key).ticket(session, 0, SERVER);
    }

    NvmeController connect(long session, long ticket) throws IOException {
        Endpoint endpoint = tier.endpoints().get(0);
        FlashEndpoint place = FlashEndpoint.parse(endpoint.host());
        SessionHost host = new SessionHost(session, ticket);
        return initiator.connect(
                new NvmeAddress(place.address(), endpoint.port(), place.subsystem()),
                InitiatorConfig.of(host.id()).withHostName(host.name()).withRetries(0));
    }

    Host host(long session) throws IOException {
        NvmeController controller = connect(session, ticket(session, KEY));
        NvmeNamespace namespace = controller.namespace(1);
        ByteBuffer unit = ByteBuffer.allocateDirect(FlashLayout.UNIT);
        namespace.read(0, unit).await();
        try {
            return new Host(controller, namespace, Superblock.decode(unit));
        } catch (Superblock.UnusableException e) {
            throw new AssertionError(e);
        }
    }

    /** A session that is connected. */
    record Host(NvmeController controller, NvmeNamespace namespace, Superblock superblock)
            implements AutoCloseable {
        long generation(int counter) {
            return ((long) superblock.incarnation() << 32) | counter;
        }

        FlashLayout layout() {
            return superblock.layout();
        }

        /** Begins a command; done with null, or with why it failed. */
        CompletableFuture<@Nullable NvmeException> begin(
                int opcode, long position, ByteBuffer data, CommandTag tag) {
            CompletableFuture<@Nullable NvmeException> done = new CompletableFuture<>();
            namespace.command(opcode, position / 4096, data, tag::encode, done::complete).start();
            return done;
        }

        CompletableFuture<@Nullable NvmeException> beginWrite(CommandTag tag, int fill) {
            return begin(IoOpcode.WRITE, layout().dataOffset(tag.record()), filled(fill), tag);
        }

        /** Null if it succeeded. */
        @Nullable StatusCode status(int opcode, long position, CommandTag tag) throws Exception {
            return code(begin(opcode, position, filled(7), tag));
        }

        @Nullable StatusCode write(CommandTag tag, int fill) throws Exception {
            return code(beginWrite(tag, fill));
        }

        byte first(CommandTag tag) throws Exception {
            ByteBuffer data = ByteBuffer.allocateDirect(4096);
            NvmeException failure =
                    begin(IoOpcode.READ, layout().dataOffset(tag.record()), data, tag)
                            .get(30, TimeUnit.SECONDS);
            if (failure != null) {
                throw failure;
            }
            return data.get(0);
        }

        private static ByteBuffer filled(int fill) {
            ByteBuffer data = ByteBuffer.allocateDirect(4096);
            while (data.hasRemaining()) {
                data.put((byte) fill);
            }
            return data.flip();
        }

        static @Nullable StatusCode code(CompletableFuture<@Nullable NvmeException> done)
                throws Exception {
            NvmeException failure = done.get(30, TimeUnit.SECONDS);
            if (failure == null) {
                return null;
            }
            if (failure instanceof NvmeStatusException status) {
                return status.code();
            }
            throw failure;
        }

        @Override
        public void close() {
            controller.close();
        }
    }

    @Override
    public void close() {
        initiator.close();
        tier.close();
    }
}
