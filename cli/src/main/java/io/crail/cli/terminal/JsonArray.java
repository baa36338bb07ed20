// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.io.PrintStream;

/** Prints a JSON array element by element, so that long results need no memory. */
public final class JsonArray implements AutoCloseable {
    private final PrintStream out;
    private boolean empty = true;

    public JsonArray(PrintStream out) {
        this.out = out;
    }

    /** Prints one element; see {@link Json} for what it may be. */
    public void add(Object element) {
        out.print(empty ? "[\n  " : ",\n  ");
        out.print(Json.write(element));
        empty = false;
    }

    /** Ends the array. */
    @Override
    public void close() {
        out.println(empty ? "[]" : "\n]");
    }
}
