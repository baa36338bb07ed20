// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.cli.terminal.Console;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Tells on standard error which row is being measured: a person sees one line, with the time that
 * is left; a log gets a line a row. Not thread-safe.
 */
final class RowProgress implements AutoCloseable {
    private final Console console;
    private final int rows;
    private final LongSupplier nanoClock;
    private final long start;
    private String line = "";
    private int begun;
    private int drawnWidth;

    RowProgress(Console console, int rows) {
        this(console, rows, System::nanoTime);
    }

    RowProgress(Console console, int rows, LongSupplier nanoClock) {
        this.console = console;
        this.rows = rows;
        this.nanoClock = nanoClock;
        this.start = nanoClock.getAsLong();
    }

    /** The next row begins. */
    void next(String row) {
        line = ++begun + " of " + rows + "  " + row;
        if (console.errIsTerminal()) {
            line += left();
            draw(line);
        } else {
            console.err().println(line + " ...");
        }
    }

    /** Something happens within the row, which only a person wants to see. */
    void step(String what) {
        if (console.errIsTerminal()) {
            draw(line + "  " + what);
        }
    }

    private void draw(String line) {
        console.err().print("\r" + line + " ".repeat(Math.max(0, drawnWidth - line.length())));
        console.err().flush();
        drawnWidth = line.length();
    }

    /** As long as the rows so far have taken; empty for the first one. */
    private String left() {
        int done = begun - 1;
        if (done == 0) {
            return "";
        }
        long nanos = (nanoClock.getAsLong() - start) / done * (rows - done);
        long seconds = Math.round(nanos / 1e9);
        return String.format(Locale.ROOT, "  %d:%02d left", seconds / 60, seconds % 60);
    }

    /** Takes the line away. */
    @Override
    public void close() {
        if (drawnWidth > 0) {
            console.err().print("\r" + " ".repeat(drawnWidth) + "\r");
            console.err().flush();
            drawnWidth = 0;
        }
    }
}
