// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.limit.Disk;
import io.crail.cli.terminal.Progress;
import io.crail.client.ClientStatistics;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.client.local.LocalFlash;
import io.crail.error.InternalException;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * The flash tier: a file that is meant for it, and one that is meant for memory and larger than
 * what is free there, so that its rest goes to flash by itself. The second one is removed again:
 * nothing else would have room.
 */
final class FlashStep implements Step {
    static final String PATH = "/flash";

    private static final String OVERFLOWING = "/more-than-memory";
    private static final int MEMORY = 0;
    private static final int FLASH = 1;
    private static final long SEED = 0x666c_6173_68L;
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final LocalFlash flash;
    private final StoredFile stored;

    /**
     * @param bytes of the file that is meant for flash
     */
    FlashStep(LocalFlash flash, long bytes) {
        this.flash = flash;
        this.stored = new StoredFile(PATH, new GeneratedFile(bytes, SEED));
    }

    @Override
    public String subject() {
        return "flash behind memory";
    }

    @Override
    public void run(Stage stage) throws IOException {
        CrailClient client = stage.client();
        long free = free(client);
        StoredFile larger =
                new StoredFile(OVERFLOWING, new GeneratedFile(free + FlashPlan.OVERFLOW, SEED + 1));
        long bytes = stored.file().length() + larger.file().length();
        try (Progress progress = stage.progress("flash", 2 * bytes);
                Disk disk = Disk.in(flash.directory(), stored.file().length(), BOUND)) {
            StoredFile.WriteAndReadLimit limit =
                    new StoredFile.WriteAndReadLimit(
                            disk.name(),
                            each -> Measurement.perSecond(each, disk.write(each)),
                            each -> Measurement.perSecond(each, disk.read(each)));
            stage.add(
                    stored.write(
                            client,
                            "write a file to flash",
                            CreateOptions.builder().storageClass(FLASH),
                            limit,
                            progress::add));
            stage.add(stored.read(client, "read it from flash, comparing", limit, progress::add));
            overflow(stage, larger, progress::add);
        }
    }

    private static void overflow(Stage stage, StoredFile larger, LongConsumer progress)
            throws IOException {
        CrailClient client = stage.client();
        StoredFile.WriteAndReadLimit limit = StoredFile.WriteAndReadLimit.of(stage.limit());
        long before = writtenToFlash(client);
        Measurement written =
                larger.write(
                        client,
                        "write more than memory holds",
                        CreateOptions.builder().storageClass(MEMORY),
                        limit,
                        progress);
        long toFlash = writtenToFlash(client) - before;
        if (toFlash <= 0) {
            throw new InternalException(
                    OVERFLOWING
                            + " is larger than what was free in memory, and nothing of it went to"
                            + " flash");
        }
        String amount = written.amount() + ", " + Measurement.size(toFlash) + " of it to flash";
        stage.add(Measurement.time(written.operation(), amount, written.nanos()));
        Measurement read = larger.read(client, "read it from both, comparing", limit, progress);
        stage.add(Measurement.time(read.operation(), read.amount(), read.nanos()));
        client.delete(OVERFLOWING, false);
    }

    @Override
    public void verify(Stage stage) throws IOException {
        stored.verify(stage.client());
    }

    private static long free(CrailClient client) throws IOException {
        return client.statistics().classes().stream()
                .filter(each -> each.storageClass() == MEMORY)
                .mapToLong(Statistics.Capacity::free)
                .sum();
    }

    private static long writtenToFlash(CrailClient client) {
        ClientStatistics.Moved moved = client.clientStatistics().storageClasses().get(FLASH);
        return moved == null ? 0 : moved.bytesWritten();
    }
}
