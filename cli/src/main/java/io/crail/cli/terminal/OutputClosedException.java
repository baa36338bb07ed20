// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.io.IOException;

/** Whoever read standard output is gone; there is nothing to say and nobody to say it to. */
public final class OutputClosedException extends IOException {
    private static final long serialVersionUID = 1L;

    public OutputClosedException() {
        super("standard output is closed");
    }
}
