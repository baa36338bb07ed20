// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A terminal on which pictures replace each other (control sequences of ECMA-48 and xterm: the
 * alternate screen, so that what was there before comes back at the end). Keys are read one by one
 * and not shown. Thread-safe: a signal closes it from another thread, and once it is closed nothing
 * is drawn any more. Without {@code stty} it shows pictures and hears no keys.
 */
public final class LiveTerminal implements AutoCloseable {
    /** Another screen, no cursor, and lines that are too long are cut: each takes one row. */
    private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l";

    private static final String LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String TO_END_OF_LINE = "\u001b[K";
    private static final String TO_END_OF_SCREEN = "\u001b[J";
    private static final Pattern SIZE = Pattern.compile("(\\d+) \\d+");
    private static final int USUAL_ROWS = 24;
    private static final int MIN_ROWS = 3;

    private final Console console;
    private final Stty stty;
    private final Optional<String> settings;
    private boolean closed;

    private LiveTerminal(Console console, Stty stty) {
        this.console = console;
        this.stty = stty;
        this.settings = stty.run("-g");
    }

    /** Takes the terminal over, until it is closed. */
    public static LiveTerminal open(Console console, Stty stty) {
        LiveTerminal terminal = new LiveTerminal(console, stty);
        if (terminal.settings.isPresent()) {
            // Signals stay: Ctrl-C ends the process, and its hook gives the terminal back.
            Optional<String> ignored = stty.run("-icanon", "-echo", "min", "0", "time", "0");
        }
        console.out().print(ENTER);
        console.out().flush();
        return terminal;
    }

    /** Shows a picture instead of the last one, as far as it fits. */
    public synchronized void show(List<String> lines) {
        if (closed) {
            return;
        }
        int rows = rows();
        StringBuilder picture = new StringBuilder(HOME);
        int shown = lines.size() < rows ? lines.size() : rows - 2;
        for (String line : lines.subList(0, shown)) {
            picture.append(line).append(TO_END_OF_LINE).append("\r\n");
        }
        if (shown < lines.size()) {
            picture.append("... ").append(lines.size() - shown).append(" more lines");
            picture.append(TO_END_OF_LINE);
        }
        console.out().print(picture.append(TO_END_OF_SCREEN));
        console.out().flush();
    }

    /** It may be made larger or smaller at any time. */
    private int rows() {
        Matcher size = SIZE.matcher(stty.run("size").orElse(""));
        int rows = size.matches() ? Integer.parseInt(size.group(1)) : USUAL_ROWS;
        return rows < MIN_ROWS ? USUAL_ROWS : rows;
    }

    /** Whether a key was pressed since the last question; other keys are forgotten. */
    public boolean pressed(char key) {
        boolean found = false;
        try {
            while (settings.isPresent() && console.in().available() > 0) {
                int read = console.in().read();
                if (read < 0) {
                    return found;
                }
                found |= read == key;
            }
        } catch (IOException e) {
            return found; // The terminal has gone; a signal tells that, too.
        }
        return found;
    }

    /** Gives the terminal back as it was; may be called again. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        settings.ifPresent(
                before -> {
                    Optional<String> ignored = stty.run(before);
                });
        console.out().print(LEAVE);
        console.out().flush();
    }
}
