// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.ring.Ring;
import io.crail.nvmf.target.subsystem.Namespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads small ranges by one thread and a {@link Ring}: a worker for each costs two changes of
 * context and a call of the device for each read, a ring one for all that came together.
 *
 * <p><b>Threads.</b> Event loops put slots into a {@link Mailbox}; the thread takes them out, and
 * owns them until it hands them back by {@link EventLoop#completed} or on to the {@link Workers}.
 * Before it waits in the kernel it says so and looks at the mail once more; who leaves mail looks
 * afterwards whether it waits: volatile on both sides, so one of the two sees the other, and a
 * wake-up that comes early stays. When it has ended it first says that and then empties its mail;
 * who leaves mail looks at that afterwards, and empties it, too.
 *
 * <p><b>Gates and guards.</b> {@link Slot#beginRead} enters them before the read is begun, {@link
 * Slot#endRead} leaves them after the kernel has said that it has ended, as a worker does around
 * its system call. A read that never ends is never left, and its slot stays in {@link #underWay},
 * so its buffer is used for nothing else.
 *
 * <p><b>Whatever is not as it should be</b>, an error or a short read, is done again by a worker,
 * whose own failure counts and is told. If the ring itself fails, further commands go to the
 * workers.
 *
 * <p><b>Bounds.</b> {@link #ENTRIES} reads are with the kernel; what waits is bounded by the slots
 * of all connections.
 */
final class RingReader {
    private static final Logger LOG = LoggerFactory.getLogger(RingReader.class);

    /** Larger reads are few, and a core of their own for pinning their pages pays. */
    static final int MOST_BYTES = 64 << 10;

    private static final int ENTRIES = 256;
    private static final long START_SECONDS = 15;
    private static final int NO_FILE = -1;

    private final Workers workers;
    private final List<Namespace> namespaces;
    private final Mailbox mail = new Mailbox();
    private final Thread thread = new Thread(this::work, "nvmf-ring");
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicReference<@Nullable Ring> ring = new AtomicReference<>();

    /** Descriptors by namespace; written before {@link #started}. */
    private final int[] files;

    private final @Nullable Slot[] underWay = new Slot[ENTRIES];
    private final int[] freeTokens = new int[ENTRIES];
    private int free;
    private final ArrayDeque<Slot> waiting = new ArrayDeque<>();
    private final Looking looking = new Looking();

    private volatile boolean asleep;
    private volatile boolean usable;
    private volatile boolean stopping;

    private RingReader(Workers workers, List<Namespace> namespaces) {
        this.workers = workers;
        this.namespaces = namespaces;
        this.files = new int[namespaces.size() + 1];
        for (int token = 0; token < ENTRIES; token++) {
            freeTokens[free++] = token;
        }
        thread.setDaemon(true);
    }

    /** Starts the thread; null if there is no io_uring here, or no namespace that it can read. */
    static @Nullable RingReader start(Workers workers, List<Namespace> namespaces) {
        if (namespaces.stream().allMatch(each -> each.medium().directFile() == null)) {
            return null;
        }
        RingReader reader = new RingReader(workers, namespaces);
        reader.thread.start();
        boolean interrupted = false;
        try {
            boolean unused = reader.started.await(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (reader.usable) {
            return reader;
        }
        reader.stopping = true;
        return null;
    }

    /**
     * Takes a command over if it is a read that can go this way; {@link #wake} follows. By an event
     * loop.
     */
    boolean take(Slot slot) {
        if (!usable || !slot.isPlainRead() || slot.command.span().bytes() > MOST_BYTES) {
            return false;
        }
        if (files[slot.command.namespace().id()] == NO_FILE) {
            return false;
        }
        mail.put(slot);
        if (!usable) {
            passOn(); // The thread may have looked for the last time before.
        }
        return true;
    }

    /** Something was taken over. By an event loop. */
    void wake() {
        if (asleep) {
            Ring running = ring.get();
            if (running != null) {
                running.wakeup();
            }
        }
    }

    private void work() {
        try {
            Ring made = open();
            if (made != null) {
                serve(made);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("The ring that reads failed; workers go on", e);
        } finally {
            usable = false;
            started.countDown();
            waiting.forEach(workers::submit);
            waiting.clear();
            passOn();
        }
    }

    private @Nullable Ring open() {
        try {
            Ring made = new Ring(ENTRIES, this::ended);
            for (Namespace each : namespaces) {
                Path file = each.medium().directFile();
                files[each.id()] = file == null ? NO_FILE : made.openDirect(file);
            }
            ring.set(made);
            usable = true;
            started.countDown();
            return made;
        } catch (IOException e) {
            LOG.info("Threads read, one for each command: {}", e.getMessage());
            return null;
        }
    }

    private void serve(Ring mine) {
        while (true) {
            boolean came = takeMail();
            begin(mine);
            if (stopping && free == ENTRIES && waiting.isEmpty() && mail.isEmpty()) {
                break;
            }
            if (!came && free == ENTRIES && look()) {
                continue;
            }
            asleep = true;
            boolean mayWait = mail.isEmpty() && !stopping;
            mine.run(mayWait);
            asleep = false;
        }
        usable = false;
        mine.close();
    }

    private boolean takeMail() {
        Slot list = mail.takeCompleted();
        boolean any = list != null;
        while (list != null) {
            Slot slot = list;
            list = slot.next;
            slot.next = null;
            waiting.add(slot);
        }
        return any;
    }

    private void begin(Ring mine) {
        while (free > 0 && !waiting.isEmpty()) {
            Slot slot = waiting.remove();
            if (!slot.beginRead()) {
                slot.connection.loop().completed(slot);
                continue;
            }
            int token = freeTokens[--free];
            underWay[token] = slot;
            mine.read(
                    files[slot.command.namespace().id()],
                    slot.command.span().start(),
                    slot.command.data().clear().limit(slot.command.span().bytes()),
                    token);
        }
    }

    /** By the ring, in our thread. */
    private void ended(int token, int result) {
        Slot slot = underWay[token];
        if (slot == null) {
            throw new IllegalStateException("a read ended twice");
        }
        underWay[token] = null;
        freeTokens[free++] = token;
        slot.endRead();
        if (result == slot.command.span().bytes()) {
            slot.connection.loop().completed(slot);
        } else {
            workers.submit(slot);
        }
    }

    /** Whether mail came before the budget was spent. */
    @SuppressWarnings("ThreadPriorityCheck") // speed depends on the scheduler, correctness does not
    private boolean look() {
        long start = System.nanoTime();
        long budget = looking.budget(start);
        long now = start;
        while (now - start < budget) {
            Thread.yield();
            if (!mail.isEmpty()) {
                looking.found();
                return true;
            }
            now = System.nanoTime();
        }
        if (budget > 0) {
            looking.missed(now);
        }
        return false;
    }

    /** What came while the ring ended is for the workers. Any thread. */
    private void passOn() {
        Slot list = mail.takeCompleted();
        while (list != null) {
            Slot slot = list;
            list = slot.next;
            slot.next = null;
            workers.submit(slot);
        }
    }

    /** Ends the thread, soon; nobody has taken it into use. */
    void abandon() {
        stopping = true;
        Ring running = ring.get();
        if (running != null && thread.isAlive()) {
            running.wakeup();
        }
    }

    /**
     * Ends the thread; the event loops have ended before.
     *
     * @return whether it ended in time; if not a read hangs at a medium
     */
    boolean stop(long nanos) throws InterruptedException {
        abandon();
        thread.join(TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
        return !thread.isAlive();
    }
}
