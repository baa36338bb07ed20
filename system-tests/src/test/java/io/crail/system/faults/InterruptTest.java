// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.error.CancelledException;
import io.crail.error.StreamFailedException;
import io.crail.system.process.ProcessCluster;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Eight threads share one client and make every kind of call. One of them at a time is interrupted,
 * a thousand times together: it alone may notice.
 */
@Tag("faults")
final class InterruptTest {
    private static final int THREADS = 8;
    private static final int INTERRUPTS = Integer.getInteger("crail.interrupts", 1000);

    private final Map<String, AtomicLong> done = new ConcurrentSkipListMap<>();
    private final Map<String, AtomicLong> cut = new ConcurrentSkipListMap<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private volatile boolean stop;

    /** Makes calls until told to stop. */
    private final class Worker extends Thread {
        private final Calls calls;
        private final Random random;

        /**
         * Set before the thread is interrupted, cleared by it when it is ready for the next one.
         */
        private volatile boolean interrupted;

        Worker(Calls calls, int number) {
            super("worker-" + number);
            this.calls = calls;
            this.random = new Random(number);
            setDaemon(true);
        }

        @Override
        public void run() {
            List<Map.Entry<String, Calls.Call>> all = List.copyOf(calls.all().entrySet());
            while (!stop) {
                var call = all.get(random.nextInt(all.size()));
                try {
                    call.getValue().run();
                    count(done, call.getKey());
                } catch (Throwable e) {
                    if (!interrupted || !isCancellation(e)) {
                        failures.add(
                                new AssertionError(
                                        getName()
                                                + (interrupted ? " (interrupted)" : "")
                                                + ": "
                                                + call.getKey(),
                                        e));
                        return;
                    }
                    count(cut, call.getKey());
                    forgetInterrupt();
                }
            }
        }

        /** The interrupt may be on its way still: it follows the flag. */
        private void forgetInterrupt() {
            while (pendingInterrupt) {
                Thread.onSpinWait();
            }
            boolean unused = Thread.interrupted();
            interrupted = false;
        }

        /** True between setting the flag and the end of interrupt(). */
        private volatile boolean pendingInterrupt;

        void interruptOnce() {
            pendingInterrupt = true;
            interrupted = true;
            interrupt();
            pendingInterrupt = false;
        }
    }

    private static void count(Map<String, AtomicLong> counts, String call) {
        counts.computeIfAbsent(call, name -> new AtomicLong()).incrementAndGet();
    }

    /** What a caller sees of its own interrupt, also through what the call wraps it in. */
    private static boolean isCancellation(Throwable thrown) {
        for (Throwable e = thrown; e != null; e = e.getCause()) {
            if (e instanceof CancelledException
                    || e instanceof InterruptedException
                    || e instanceof InterruptedIOException) {
                return true;
            }
        }
        // Closing a stream that the interrupt has failed says so once more.
        return thrown instanceof StreamFailedException;
    }

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void interruptingOneThreadDisturbsNoOther() throws Exception {
        Random random = new Random(4711);
        try (ProcessCluster cluster = ProcessCluster.builder().capacity("256 MiB").start();
                CrailClient client = cluster.client()) {
            List<Worker> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                workers.add(new Worker(new Calls(client, "/w" + i, i), i));
            }
            workers.forEach(Thread::start);
            int interrupts = 0;
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(240);
            while (interrupts < INTERRUPTS && failures.isEmpty() && System.nanoTime() < end) {
                Worker victim = workers.get(random.nextInt(THREADS));
                if (!victim.interrupted) {
                    victim.interruptOnce();
                    interrupts++;
                }
                LockSupport.parkNanos(random.nextInt(20_000_000)); // At any moment of a call.
            }
            stop = true;
            for (Worker worker : workers) {
                worker.join(30_000);
                assertThat(worker.isAlive()).as(worker.getName()).isFalse();
            }
            assertThat(failures).isEmpty();
            assertThat(interrupts).isEqualTo(INTERRUPTS);
            assertThat(done.keySet()).hasSize(new Calls(client, "/last", 99).all().size());
            assertThat(sum(cut)).as(new TreeMap<>(cut).toString()).isGreaterThan(INTERRUPTS / 2);
        } finally {
            stop = true;
        }
    }

    private static long sum(Map<String, AtomicLong> counts) {
        return counts.values().stream().mapToLong(AtomicLong::get).sum();
    }
}
