// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import java.io.IOException;

/**
 * A failure of the command line itself, not of crail. Its message says what to do about it, so that
 * nothing is added.
 */
public final class CommandFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    public CommandFailure(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
