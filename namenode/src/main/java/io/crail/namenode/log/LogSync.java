// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.ReadOnlyException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes written records durable in a thread of its own.
 *
 * <p>The engine thread states how far it has written; this thread takes that mark, syncs every file
 * that was left behind by a roll and then the current one, and reports the mark. All files up to
 * the mark are synced before it is reported, in their order, so a durable sequence implies all
 * lower ones. Marks that arrive during a sync share the next one: group commit without waiting for
 * company. The lock is held for assignments only, never across a sync, so the engine is not
 * delayed.
 */
final class LogSync implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LogSync.class);
    private static final long CLOSE_SECONDS = 30;

    private final MetadataFiles files;
    private final Path directory;
    private final DurabilityListener listener;
    private final Function<IOException, ReadOnlyException> fail;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Queue<MetadataFile> leftBehind = new ArrayDeque<>();
    private MetadataFile current;
    private long written;
    private boolean newEntry = true;
    private boolean closing;

    private volatile long durable;

    LogSync(
            MetadataFiles files,
            Path directory,
            MetadataFile first,
            long sequence,
            DurabilityListener listener,
            Function<IOException, ReadOnlyException> fail) {
        this.files = files;
        this.directory = directory;
        this.current = first;
        this.written = sequence;
        this.durable = sequence;
        this.listener = listener;
        this.fail = fail;
        this.thread = new Thread(this::run, "crail-log-sync");
        thread.setDaemon(true);
        thread.start();
    }

    /** Highest sequence that is on stable storage. */
    long durable() {
        return durable;
    }

    /** Everything up to {@code sequence} is in the current file or those before it. */
    void written(long sequence) {
        lock.lock();
        try {
            written = sequence;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Records behind {@code sequence} go to {@code next}. */
    void rolled(MetadataFile next, long sequence) {
        lock.lock();
        try {
            leftBehind.add(current);
            current = next;
            newEntry = true;
            written = sequence;
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Syncs what was written, within a bound, and ends the thread. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closing = true;
            work.signal();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IOException(
                    directory + ": the log is not durable after " + CLOSE_SECONDS + " s");
        }
    }

    private void run() {
        try {
            while (syncOnce()) {
                LOG.trace("durable up to {}", durable);
            }
        } catch (IOException e) {
            listener.failed(fail.apply(e));
        } catch (RuntimeException e) {
            listener.failed(fail.apply(new IOException("defect in the sync thread: " + e, e)));
        }
        closeLeftBehind();
    }

    /** Returns false when there is nothing more to do, ever. */
    private boolean syncOnce() throws IOException {
        List<MetadataFile> old;
        MetadataFile file;
        long mark;
        boolean entry;
        lock.lock();
        try {
            while (written == durable && leftBehind.isEmpty() && !closing) {
                work.awaitUninterruptibly();
            }
            if (written == durable && leftBehind.isEmpty()) {
                return false;
            }
            old = new ArrayList<>(leftBehind);
            file = current;
            mark = written;
            entry = newEntry;
            newEntry = false;
        } finally {
            lock.unlock();
        }
        for (MetadataFile each : old) {
            sync(each);
            removeLeftBehind(each);
        }
        if (entry) {
            files.syncDirectory(directory);
        }
        sync(file);
        durable = mark;
        listener.durable(mark);
        return true;
    }

    private static void sync(MetadataFile file) throws IOException {
        try {
            file.sync();
        } catch (IOException e) {
            throw new IOException(file.path() + ": sync failed: " + WholeWrites.reason(e), e);
        }
    }

    private void removeLeftBehind(MetadataFile file) throws IOException {
        lock.lock();
        try {
            leftBehind.remove(file);
        } finally {
            lock.unlock();
        }
        file.close();
    }

    private void closeLeftBehind() {
        lock.lock();
        try {
            for (MetadataFile file : leftBehind) {
                file.close();
            }
            leftBehind.clear();
        } catch (IOException e) {
            LOG.warn("cannot close a log file in {}", directory, e);
        } finally {
            lock.unlock();
        }
    }
}
