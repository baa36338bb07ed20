// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.error.CrailException;
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

    /**
     * The same failure without the advice for its code, which is about clusters that run: this one
     * says what to do.
     */
    public static CommandFailure of(CrailException failure) {
        CommandFailure told =
                new CommandFailure(
                        ExitCode.of(failure.code()), String.valueOf(failure.getMessage()));
        told.initCause(failure);
        return told;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
