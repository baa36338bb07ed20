// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import java.io.IOException;
import java.util.concurrent.Callable;

/** A command that does something. One object serves one run. */
public abstract class Command implements Callable<Integer> {
    protected final Invocation invocation;

    protected Command(Invocation invocation) {
        this.invocation = invocation;
    }

    /** Does it; failures of single paths are reported to the invocation instead of thrown. */
    protected abstract void run() throws IOException;

    @Override
    public final Integer call() throws IOException {
        run();
        return invocation.exitCode();
    }
}
