// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.VersionMismatchException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.Superblock;
import io.crail.nvmf.layout.Superblock.UnusableException;
import io.crail.nvmf.target.backing.Medium;
import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A medium as the image of one storage server: finds out whose it is, and makes it the server's if
 * it is blank, or if it is to be discarded. Used by one thread.
 *
 * <p>The superblock is written last and flushed: an image that has one has counters. One that is to
 * be discarded loses its superblock first, so that a crash leaves either of the two images or a
 * blank one, never the old superblock with new counters.
 */
final class FlashImage {
    private static final Logger LOG = LoggerFactory.getLogger(FlashImage.class);

    private final Medium medium;
    private final UUID server;
    private final int keepAliveMillis;
    private final RandomGenerator random;

    /**
     * @param keepAliveMillis what clients ask an external target for; 0: the target is our own
     */
    FlashImage(Medium medium, UUID server, int keepAliveMillis, RandomGenerator random) {
        this.medium = medium;
        this.server = server;
        this.keepAliveMillis = keepAliveMillis;
        this.random = random;
    }

    /**
     * The superblock of the cluster that is joined.
     *
     * @param discard whether what is there is to be given up, whosever it is
     * @throws CrailException if it belongs to somebody else, is damaged or too small
     */
    Superblock join(UUID cluster, boolean discard) throws CrailException {
        try {
            Optional<Superblock> there = discard ? Optional.empty() : read();
            if (there.isEmpty()) {
                return format(cluster);
            }
            check(there.get(), cluster);
            return there.get();
        } catch (IOException e) {
            throw StartFailures.of("cannot read or write " + medium.name() + ": " + e, e);
        }
    }

    /** Whether nothing is there. */
    boolean isBlank() throws IOException {
        ByteBuffer unit = DataPool.aligned(FlashLayout.UNIT);
        medium.read(0, unit.clear());
        return unit.clear().mismatch(ByteBuffer.allocate(FlashLayout.UNIT)) < 0;
    }

    /**
     * Whether an image is there, and it is that of this server in the cluster.
     *
     * @return false if the medium is blank
     * @throws CrailException if something else is there, with what to do about it
     */
    boolean isOf(UUID cluster) throws CrailException, IOException {
        Optional<Superblock> there = read();
        if (there.isPresent()) {
            check(there.get(), cluster);
        }
        return there.isPresent();
    }

    /** Empty if the medium is blank. */
    private Optional<Superblock> read() throws IOException {
        ByteBuffer unit = DataPool.aligned(FlashLayout.UNIT);
        medium.read(0, unit.clear());
        try {
            return Optional.of(Superblock.decode(unit));
        } catch (UnusableException e) {
            return switch (e.reason()) {
                case BLANK -> Optional.empty();
                case FOREIGN ->
                        throw new InvalidArgumentException(
                                unusable(e)
                                        + "; name another file, device or namespace, or give its content up"
                                        + " with --format",
                                e);
                case VERSION ->
                        throw new VersionMismatchException(
                                unusable(e)
                                        + "; use the version of crail that wrote it, or give its"
                                        + " data up with --format",
                                e);
                case CORRUPT ->
                        throw new InternalException(
                                unusable(e)
                                        + ". Its data is out of reach: look after the device, or"
                                        + " give the data up with --format",
                                e);
            };
        }
    }

    private String unusable(UnusableException e) {
        return medium.name() + " cannot be used: " + e.getMessage();
    }

    private void check(Superblock found, UUID cluster) throws CrailException {
        if (!found.cluster().equals(cluster)) {
            throw new VersionMismatchException(
                    medium.name()
                            + " holds data of cluster "
                            + found.cluster()
                            + ", the namenode serves cluster "
                            + cluster
                            + "; correct the namenode's address, or give the data up with"
                            + " --format");
        }
        if (!found.server().equals(server)) {
            throw new InvalidArgumentException(
                    medium.name()
                            + " belongs to the storage server with identity "
                            + found.server()
                            + ", this one is "
                            + server
                            + "; start with the --dir of that server, or give the data up with"
                            + " --format");
        }
        checkGuarded(found);
        if (found.layout().bytes() > medium.bytes()) {
            throw new InvalidArgumentException(
                    medium.name()
                            + " has "
                            + medium.bytes()
                            + " bytes, its superblock speaks of "
                            + found.layout().bytes()
                            + ": it was cut; give the data up with --format");
        }
    }

    /** Counters, and what clients do, differ with the kind of target. */
    private void checkGuarded(Superblock found) throws InvalidArgumentException {
        if (found.keepAliveMillis() == keepAliveMillis) {
            return;
        }
        if (found.keepAliveMillis() == 0 || keepAliveMillis == 0) {
            throw new InvalidArgumentException(
                    medium.name()
                            + " was formatted for "
                            + (keepAliveMillis == 0
                                    ? "an external target: use it by --target"
                                    : "the built-in target: use it by --file")
                            + ", or give its data up with --format");
        }
        throw new InvalidArgumentException(
                medium.name()
                        + " was formatted with storage.nvmf.keep-alive = "
                        + found.keepAliveMillis()
                        + " ms, on which clients rely; configured, or kept by the target, is "
                        + keepAliveMillis
                        + " ms. Configure the former, or give the data up with --format");
    }

    private Superblock format(UUID cluster) throws CrailException, IOException {
        FlashLayout layout;
        try {
            layout = FlashLayout.within(medium.bytes());
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(
                    medium.name()
                            + " is too small: "
                            + e.getMessage()
                            + "; "
                            + (keepAliveMillis == 0 ? "raise --size" : "name a larger namespace"),
                    e);
        }
        Superblock made = new Superblock(cluster, server, incarnation(), keepAliveMillis, layout);
        ByteBuffer unit = DataPool.aligned(FlashLayout.UNIT);
        medium.write(0, unit.clear());
        medium.flush();
        CounterStore.format(medium, layout);
        made.encode(unit);
        medium.write(0, unit.clear());
        medium.flush();
        LOG.info(
                "Formatted {} for cluster {}: {} bytes of data",
                medium.name(),
                cluster,
                layout.dataBytes());
        return made;
    }

    private int incarnation() {
        int chosen = random.nextInt();
        while (chosen == 0) {
            chosen = random.nextInt();
        }
        return chosen;
    }
}
