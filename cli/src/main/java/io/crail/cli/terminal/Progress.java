// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import io.crail.protocol.config.ByteSize;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * A line on standard error that tells how far a copy is: bytes (or things), rate and time left. It
 * is drawn at most ten times a second, only after half a second, and only for a person.
 * Thread-safe: workers add bytes, whoever comes at the right time draws.
 */
public final class Progress implements AutoCloseable {
    private static final long FIRST_NANOS = 500_000_000L;
    private static final long INTERVAL_NANOS = 100_000_000L;
    private static final int BAR_WIDTH = 24;

    private final PrintStream out;
    private final boolean shown;
    private final String label;
    private final LongFunction<String> amount;
    private final LongSupplier nanoClock;
    private final long start;
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong nextDraw;
    private int drawnWidth;

    private Progress(
            Console console, String label, LongFunction<String> amount, LongSupplier nanoClock) {
        this.amount = amount;
        this.out = console.err();
        this.shown = console.errIsTerminal();
        this.label = label;
        this.nanoClock = nanoClock;
        this.start = nanoClock.getAsLong();
        this.nextDraw = new AtomicLong(start + FIRST_NANOS);
    }

    /** Progress of a copy whose size is not known yet: see {@link #expect}. */
    public static Progress of(Console console, String label) {
        return of(console, label, System::nanoTime);
    }

    /** Progress of work on things that are not bytes. */
    public static Progress ofThings(Console console, String label) {
        return new Progress(console, label, Long::toString, System::nanoTime);
    }

    static Progress of(Console console, String label, LongSupplier nanoClock) {
        return new Progress(console, label, Progress::bytes, nanoClock);
    }

    private static String bytes(long count) {
        return new ByteSize(count).rounded();
    }

    /** Adds bytes that are to come. */
    public void expect(long bytes) {
        total.addAndGet(bytes);
    }

    /** Adds bytes that are done. */
    public void add(long bytes) {
        done.addAndGet(bytes);
        if (shown) {
            long now = nanoClock.getAsLong();
            long due = nextDraw.get();
            if (now - due >= 0 && nextDraw.compareAndSet(due, now + INTERVAL_NANOS)) {
                draw(now);
            }
        }
    }

    private synchronized void draw(long now) {
        String line = line(label, amount, done.get(), total.get(), now - start);
        out.print("\r" + line + " ".repeat(Math.max(0, drawnWidth - line.length())));
        out.flush();
        drawnWidth = line.length();
    }

    /** The line for a state of affairs. */
    static String line(String label, long done, long total, long nanos) {
        return line(label, Progress::bytes, done, total, nanos);
    }

    private static String line(
            String label, LongFunction<String> amount, long done, long total, long nanos) {
        double rate = nanos <= 0 ? 0 : done * 1e9 / nanos;
        String speed = amount.apply((long) rate) + "/s";
        if (total <= 0 || done > total) {
            return label + "  " + amount.apply(done) + "  " + speed;
        }
        int filled = (int) (BAR_WIDTH * (double) done / total);
        long secondsLeft = rate < 1 ? -1 : (long) Math.ceil((total - done) / rate);
        return String.format(
                "%s [%s%s] %3d %%  %s of %s  %s  %s",
                label,
                "#".repeat(filled),
                "-".repeat(BAR_WIDTH - filled),
                (int) (100.0 * done / total),
                amount.apply(done),
                amount.apply(total),
                speed,
                secondsLeft < 0 ? "--:-- left" : time(secondsLeft) + " left");
    }

    private static String time(long seconds) {
        return seconds < 3600
                ? String.format("%d:%02d", seconds / 60, seconds % 60)
                : String.format("%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    /** Takes the line away. */
    @Override
    public synchronized void close() {
        if (drawnWidth > 0) {
            out.print("\r" + " ".repeat(drawnWidth) + "\r");
            out.flush();
            drawnWidth = 0;
        }
    }
}
