// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.error.InvalidArgumentException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program that starts further processes of crail. */
public final class Launcher {
    private Launcher() {}

    /**
     * {@code bin/crail} of the installation that this process belongs to.
     *
     * @throws InvalidArgumentException if this process was started without it
     */
    public static Path path() throws InvalidArgumentException {
        String home = System.getProperty(Invocation.HOME_PROPERTY);
        Path launcher = Path.of(home == null ? "" : home, "bin", "crail");
        if (home == null || !Files.isExecutable(launcher)) {
            throw new InvalidArgumentException(
                    "cannot start processes: -D"
                            + Invocation.HOME_PROPERTY
                            + " must name the directory of bin/crail, and is "
                            + home);
        }
        return launcher;
    }
}
