// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.target.NamespaceConfig;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.nvmf.target.SharedMemoryConfig;
import io.crail.nvmf.target.TargetConfig;
import io.crail.nvmf.target.TargetConfigBuilder;
import io.crail.nvmf.target.TargetSurroundings;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.storage.directory.PrivateDirectory;
import io.crail.storage.directory.ServerDirectory;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.StorageTierProvider;
import io.crail.storage.spi.TierContext;
import io.crail.storage.tcp.ListenFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the tier "nvmf": a file or block device, served by the built-in target, or a namespace
 * of another target.
 */
public final class NvmfTierProvider implements StorageTierProvider {
    private static final Logger LOG = LoggerFactory.getLogger(NvmfTierProvider.class);

    private final MediumHook faults;

    public NvmfTierProvider() {
        this(MediumHook.NONE);
    }

    /** With faults of the medium, for tests. */
    public NvmfTierProvider(MediumHook faults) {
        this.faults = faults;
    }

    @Override
    public String name() {
        return "nvmf";
    }

    @Override
    public StorageTier open(TierContext context) throws CrailException {
        if (ExternalOptions.isMeant(context.options())) {
            return ExternalTierOpening.open(context, new SecureRandom(), System::nanoTime);
        }
        TierOptions options = TierOptions.of(context);
        SessionAdmission admission = new SessionAdmission();
        BlockGuard guard = new BlockGuard();
        NvmeTarget target = start(context, options, guard, admission);
        boolean opened = false;
        try {
            FlashTier tier =
                    new FlashTier(context, options, target, guard, admission, new SecureRandom());
            opened = true;
            return tier;
        } finally {
            if (!opened) {
                FlashTier.close(target);
            }
        }
    }

    private NvmeTarget start(
            TierContext context, TierOptions options, BlockGuard guard, SessionAdmission admission)
            throws CrailException {
        InetSocketAddress bind = new InetSocketAddress(context.bindHost(), context.bindPort());
        try {
            return NvmeTarget.start(
                    config(context, options, bind),
                    new TargetSurroundings(System::nanoTime, faults, guard, admission));
        } catch (IOException e) {
            throw StartFailures.of("tier nvmf cannot start: " + e.getMessage(), e, bind);
        } catch (UnresolvedAddressException e) {
            throw ListenFailure.of(bind, e);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("tier nvmf: " + e.getMessage(), e);
        }
    }

    private static TargetConfig config(
            TierContext context, TierOptions options, InetSocketAddress bind) {
        NamespaceConfig namespace =
                NamespaceConfig.of(options.file(), options.bytes())
                        .withDirect(options.direct())
                        .withAllocation(options.allocation());
        TargetConfigBuilder builder =
                TargetConfig.builder(FlashTier.subsystem(context.identity()), namespace)
                        .bind(bind)
                        .anyHost(true) // Whoever has a ticket: SessionAdmission decides.
                        .maxConnections(options.connections())
                        .maxControllers(options.connections() / 2)
                        .maxIoQueues(options.ioQueues())
                        .queueEntries(options.queueEntries())
                        .workers(options.workers())
                        .dataMemoryBytes(options.memory())
                        .handshakeTimeout(context.limits().helloTimeout())
                        .stallTimeout(context.limits().answerTimeout())
                        .revokeTimeout(context.limits().revokeTimeout());
        if (options.eventLoops() > 0) {
            builder.eventLoops(options.eventLoops());
        }
        if (options.sharedMemory() > 0) {
            share(context, options, builder);
        }
        return builder.build();
    }

    /** In one directory of the user's for all servers, wherever those of the servers are. */
    private static void share(
            TierContext context, TierOptions options, TargetConfigBuilder builder) {
        try {
            Path directory = ServerDirectory.inSharedMemory("nvmf");
            PrivateDirectory.make(directory);
            builder.sharedMemory(
                    new SharedMemoryConfig(directory, context.identity(), options.sharedMemory()));
        } catch (CrailException e) {
            LOG.warn("Data of clients on this host goes through sockets: {}", e.getMessage());
        }
    }
}
