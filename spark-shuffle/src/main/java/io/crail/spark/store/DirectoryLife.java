// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the directory of an application alive. Thread-safe.
 *
 * <p>The directory has a time to live, which the driver and every executor renew four times within
 * it. So it goes when the last of them has gone, however that was, and none of them has to be there
 * all the time: a driver that is stopped for longer loses nothing while an executor lives. It is
 * not bound to a session, because that would be the session of one process.
 *
 * <p>Only the driver makes a directory anew that is gone, which happens when nobody could reach the
 * namenode for so long. Spark then makes again what was in it, if anybody still needs that. An
 * executor never does: it may have outlived its driver, and nobody would remove it. Nor is the next
 * renewal waited for: a task that finds it gone has it made before it goes on, because four of its
 * attempts are over within a second, and the job with them.
 */
final class DirectoryLife {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLife.class);

    /** Within a time to live. */
    private static final int RENEWALS = 4;

    /** That a call may take: who ends the application waits for the one that is under way. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** How much sooner the next attempt is made when one has failed. */
    private static final int HASTE = 8;

    private final CrailClient client;
    private final String directory;
    private final Duration time;
    private final OptionalInt storageClass;
    private final boolean isDriver;
    private boolean ended;
    private boolean missed;

    /**
     * The directory at a path.
     *
     * @param time how long it lives when nobody renews it
     * @param storageClass of what is below, if not that of its parent
     */
    DirectoryLife(
            CrailClient client,
            String directory,
            Duration time,
            OptionalInt storageClass,
            boolean isDriver) {
        this.client =
                client.withDeadline(
                        Collections.min(
                                List.of(
                                        time.dividedBy(RENEWALS),
                                        LONGEST,
                                        client.config().deadline())));
        this.directory = directory;
        this.time = time;
        this.storageClass = storageClass;
        this.isDriver = isDriver;
    }

    /** Makes the directory. */
    void begin() throws CrailException {
        client.mkdir(directory.substring(0, directory.lastIndexOf('/')), CreateOptions.PARENTS);
        CreateOptions.Builder options = CreateOptions.builder().lifetime(time);
        storageClass.ifPresent(options::storageClass);
        client.mkdir(directory, options.build());
    }

    /** Renews it from now on, by somebody else's thread. */
    void keepAlive(ScheduledExecutorService timer) {
        schedule(timer, interval());
    }

    /** Between two renewals. */
    Duration interval() {
        return time.dividedBy(RENEWALS);
    }

    private void schedule(ScheduledExecutorService timer, Duration after) {
        var unused =
                timer.schedule(
                        () -> schedule(timer, renew() ? interval() : interval().dividedBy(HASTE)),
                        after.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    /** Whether this is the one who may make it anew. */
    boolean isDriver() {
        return isDriver;
    }

    /** Whether it lives for the whole time again. */
    synchronized boolean renew() {
        if (ended) {
            return true;
        }
        try {
            client.setAttributes(directory, AttributeChange.NONE.lifetime(time));
            missed = false;
            return true;
        } catch (NoSuchNodeException e) {
            return isDriver ? beginAnew() : miss();
        } catch (CancelledException e) {
            LOG.debug("The store is not used any more.", e);
            return true;
        } catch (CrailException e) {
            LOG.warn("The life of {} was not renewed: {}", directory, e.getMessage());
            return false;
        }
    }

    private boolean beginAnew() {
        LOG.warn(
                "{} is gone, since nobody reached the namenode for {}; Spark makes again what it"
                        + " needs.",
                directory,
                time);
        try {
            begin();
            return true;
        } catch (CrailException e) {
            LOG.warn("{} was not made anew: {}", directory, e.getMessage());
            return false;
        }
    }

    private boolean miss() {
        if (!missed) {
            LOG.warn(
                    "{} is gone: the application has ended, or its driver makes it anew.",
                    directory);
            missed = true;
        }
        return true;
    }

    /** It is neither renewed nor made anew any more; returns when nothing of that is under way. */
    synchronized void end() {
        ended = true;
    }
}
