// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ServerLostException;
import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.Fabrics;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierContext;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Opens the tier at an external target: what is wrong with address, subsystem or namespace ends the
 * start, before anybody hears of this server. Stateless.
 */
final class ExternalTierOpening {
    private static final int ATTEMPTS = 4;
    private static final long PAUSE_MILLIS = 500;

    private ExternalTierOpening() {}

    static StorageTier open(TierContext context, RandomGenerator random, LongSupplier clock)
            throws CrailException {
        ExternalOptions options = ExternalOptions.of(context);
        return open(context, options, fabric(options.target()), random, clock);
    }

    /**
     * As the other.
     *
     * @param fabric closed with the tier, or if this fails
     */
    static StorageTier open(
            TierContext context,
            ExternalOptions options,
            Fabric fabric,
            RandomGenerator random,
            LongSupplier clock)
            throws CrailException {
        TargetAddress target = options.target();
        boolean opened = false;
        try {
            Ownership ownership = new Ownership(target.toString(), context.identity(), random);
            RemoteMedium medium =
                    new RemoteMedium(
                            fabric,
                            target,
                            context.identity(),
                            options.timing(),
                            random,
                            clock,
                            ownership);
            connect(medium);
            ExternalTier tier =
                    new ExternalTier(context, options, fabric, medium, ownership, random, clock);
            opened = true;
            return tier;
        } finally {
            if (!opened) {
                fabric.close();
            }
        }
    }

    private static Fabric fabric(TargetAddress target) throws InvalidArgumentException {
        try {
            return Fabrics.open(target.fabric());
        } catch (NvmeException e) {
            throw new InvalidArgumentException(
                    "--target " + target.fabric() + ": " + e.getMessage(), e);
        }
    }

    /** Tries several times: a target may be starting, too. */
    private static void connect(RemoteMedium medium) throws CrailException {
        for (int attempt = 1; ; attempt++) {
            try {
                medium.connected();
                return;
            } catch (ServerLostException | BusyException e) {
                if (attempt == ATTEMPTS) {
                    throw CrailException.of(
                            e.code(), e.getMessage() + " (tried " + ATTEMPTS + " times)", e);
                }
                pause(PAUSE_MILLIS << attempt, medium);
            } catch (IOException e) {
                throw StartFailures.of(medium.name() + ": " + e.getMessage(), e);
            }
        }
    }

    /** Waits; no deadline depends on it. */
    static void pause(long millis, RemoteMedium medium) throws ServerLostException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerLostException("interrupted while connecting to " + medium.name(), e);
        }
    }
}
