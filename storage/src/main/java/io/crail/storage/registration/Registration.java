// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InternalException;
import io.crail.error.VersionMismatchException;
import io.crail.storage.directory.ServerDirectory;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierSegment;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Keeps a storage server registered with its namenode.
 *
 * <p><b>Threads.</b> One thread owns connection, selector and all state but four: the list of ready
 * segments and the queue of freed blocks, which the tier's threads add to before they wake the
 * selector, the flag that ends it all, and what is published of other tiers. It never waits for the
 * namenode without a bound.
 *
 * <p><b>Order.</b> Hello; once in its life the tier joins the cluster; RegisterServer; the tier
 * admits clients under the key that came back; then every segment that is ready, and only then the
 * first AwaitCommands, so that the namenode knows the generations before it revokes. From then on
 * one AwaitCommands is always outstanding. A lost connection starts over from hello, with
 * generations as they are then; freed blocks that were not confirmed are reported again.
 *
 * <p><b>Whom it believes.</b> A namenode of another cluster, or of an epoch below the highest seen,
 * is hung up on: its commands are those of a life that has ended.
 */
public final class Registration implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
    private static final long CLOSE_MILLIS = 15_000;
    private static final int LOG_EVERY = 20;

    private final RegistrationSettings settings;
    private final ServerDirectory directory;
    private final StorageTier tier;
    private final Selector selector;
    private final LongSupplier nanoTime;
    private final Thread thread;
    private final List<TierSegment> segments = new CopyOnWriteArrayList<>();
    private final FreedQueue freed = new FreedQueue();
    private final CompletableFuture<Integer> registered = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> filled = new CompletableFuture<>();
    private volatile boolean closed;
    private volatile boolean complete;
    private volatile boolean tiers;
    private @Nullable UUID cluster;
    private String statusUrl = "";

    /** Prepares the registration; nothing happens before {@link #start}. */
    public Registration(RegistrationSettings settings, ServerDirectory directory, StorageTier tier)
            throws CrailException {
        this(settings, directory, tier, Surroundings.SYSTEM);
    }

    /** As the other, on a given machine. */
    public Registration(
            RegistrationSettings settings,
            ServerDirectory directory,
            StorageTier tier,
            Surroundings machine)
            throws CrailException {
        this.nanoTime = machine.nanoTime();
        this.settings = settings;
        this.directory = directory;
        this.tier = tier;
        try {
            this.selector = machine.network().openSelector();
        } catch (IOException e) {
            throw new InternalException("cannot open a selector: " + e.getMessage(), e);
        }
        this.thread = machine.threads().newThread(this::run);
        thread.setName("crail-storage-registration");
        thread.setDaemon(true);
    }

    public void start() {
        start("");
    }

    /**
     * Begins to register.
     *
     * @param shownAt where operators can look at this server, or empty
     */
    public void start(String shownAt) {
        statusUrl = shownAt;
        thread.start();
    }

    /** Completes with the server id at the first registration. */
    public CompletableFuture<Integer> registered() {
        return registered;
    }

    /** Completes when the namenode knows all segments up to the capacity. */
    public CompletableFuture<Void> filled() {
        return filled;
    }

    /** Completes when the registration ended: exceptionally if it had to give up. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Begins to end it, without waiting. */
    public void stop() {
        closed = true;
        selector.wakeup();
    }

    @Override
    public void close() {
        stop();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("The registration thread is still busy");
        }
    }

    private void run() {
        try (selector) {
            long backoff = settings.minBackoff().toMillis();
            int failures = 0;
            for (int attempt = 0; !closed; attempt++) {
                Conversation conversation = new Conversation(this);
                try {
                    conversation.hold(
                            settings.namenodes().get(attempt % settings.namenodes().size()));
                } catch (UnusableTierException e) {
                    throw e;
                } catch (CrailException e) {
                    if (isHopeless(e)) {
                        LOG.error("Giving up: {}", e.getMessage());
                        end(e);
                        return;
                    }
                    failures = conversation.wasRegistered() ? 1 : failures + 1;
                    logFailure(failures, e);
                }
                if (conversation.wasRegistered()) {
                    backoff = settings.minBackoff().toMillis();
                }
                pause(backoff);
                backoff = Math.min(2 * backoff, settings.maxBackoff().toMillis());
            }
            end(null);
        } catch (UnusableTierException e) {
            LOG.error("Giving up: {}", e.getMessage());
            end(e.reason());
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("Registration failed", e);
            end(new InternalException("registration failed: " + e, e));
        }
    }

    /**
     * Whether whoever started this server should hear it at once: the secret is wrong, or missing.
     * A server that has been registered waits: the mistake may be the namenode's, and be mended.
     */
    private boolean isHopeless(CrailException e) {
        return e.code() == ErrorCode.ACCESS_DENIED
                && !registered.isDone()
                && settings.namenodes().size() == 1;
    }

    private void end(@Nullable CrailException cause) {
        CrailException reason =
                cause != null ? cause : new ClosedException("this storage server was closed");
        registered.completeExceptionally(reason);
        filled.completeExceptionally(reason);
        if (cause == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(cause);
        }
    }

    private static void logFailure(int failures, CrailException e) {
        // The namenode may be away for long: say so at once, then from time to time.
        if (failures % LOG_EVERY == 1) {
            LOG.warn("Not registered, trying again (attempt {}): {}", failures, e.getMessage());
        } else {
            LOG.debug("Not registered, trying again (attempt {}): {}", failures, e.getMessage());
        }
    }

    private void pause(long millis) throws IOException {
        long end = nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = millis;
        while (!closed && left > 0) {
            selector.select(left); // Segments that get ready wake it, too.
            left = TimeUnit.NANOSECONDS.toMillis(end - nanoTime());
        }
    }

    /** Lets the tier join the namenode's cluster, once; hangs up on any other cluster later. */
    void join(UUID offered) throws CrailException, UnusableTierException {
        if (cluster == null) {
            try {
                tier.join(offered, new Listener());
            } catch (CrailException e) {
                throw new UnusableTierException(e);
            }
            cluster = offered;
        } else if (!cluster.equals(offered)) {
            throw new VersionMismatchException(
                    "the namenode serves cluster "
                            + offered
                            + " now, this server belongs to cluster "
                            + cluster
                            + "; correct the namenode's address or restart with --format");
        }
    }

    @Nullable UUID cluster() {
        return cluster;
    }

    String statusUrl() {
        return statusUrl;
    }

    void hearOfTiers(boolean several) {
        tiers = several;
    }

    /** Whether the cluster has storage of several classes, as far as the namenode has told. */
    public boolean hasTiers() {
        return tiers;
    }

    boolean isClosed() {
        return closed;
    }

    RegistrationSettings settings() {
        return settings;
    }

    ServerDirectory directory() {
        return directory;
    }

    StorageTier tier() {
        return tier;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    Selector selector() {
        return selector;
    }

    FreedQueue freed() {
        return freed;
    }

    /** Segments in the order in which they got ready; only grows. */
    List<TierSegment> segments() {
        return segments;
    }

    /** The namenode knows the first {@code count} segments. */
    void announced(int count) {
        if (complete && count == segments.size()) {
            filled.complete(null);
        }
    }

    void registeredAs(int server) {
        MDC.put("server", Integer.toString(server)); // For all that this thread logs from now on.
        if (registered.complete(server)) {
            LOG.info("Registered as storage server {}", server);
        } else {
            LOG.info("Registered again as storage server {}", server);
        }
    }

    private final class Listener implements SegmentListener {
        @Override
        public void ready(TierSegment segment) {
            segments.add(segment);
            selector.wakeup();
        }

        @Override
        public void complete() {
            complete = true; // After the last segment was added: see announced.
            selector.wakeup();
        }

        @Override
        public void failed(CrailException cause) {
            filled.completeExceptionally(cause);
            LOG.error("Serving less than the configured capacity: {}", cause.getMessage());
        }
    }
}
