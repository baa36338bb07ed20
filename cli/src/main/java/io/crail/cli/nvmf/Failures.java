// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.nvmf;

import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.ExitCode;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import java.util.Iterator;
import java.util.ServiceLoader;

/** What may go wrong with all commands here. */
final class Failures {
    private Failures() {}

    /**
     * The same failure without the advice for its code, which is about clusters: those here say
     * what to do.
     */
    static CommandFailure of(CrailException e) {
        CommandFailure failure =
                new CommandFailure(ExitCode.of(e.code()), String.valueOf(e.getMessage()));
        failure.initCause(e);
        return failure;
    }

    /** The other side of what is not linked here. */
    static <T> T found(Class<T> service) throws InvalidArgumentException {
        Iterator<T> all = ServiceLoader.load(service).iterator();
        if (all.hasNext()) {
            return all.next();
        }
        throw new InvalidArgumentException(
                "no NVMe over Fabrics on the class path; start it with bin/crail");
    }
}
