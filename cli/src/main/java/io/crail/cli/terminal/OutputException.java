// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Standard output cannot be written. Unchecked, so that it passes through the {@link
 * java.io.PrintStream} that commands print to, which swallows any {@link IOException}: a command
 * ends at the first thing that nobody gets.
 */
public final class OutputException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    private final boolean readerGone;

    OutputException(boolean readerGone, IOException cause) {
        super(new IOException("cannot write standard output: " + cause.getMessage(), cause));
        this.readerGone = readerGone;
    }

    /** Whether whoever read it has gone: there is nothing to say and nobody to say it to. */
    public boolean readerGone() {
        return readerGone;
    }
}
