// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Changes the settings of the terminal; Java itself cannot. */
@FunctionalInterface
public interface Stty {
    /** What {@code stty} printed with these arguments; empty if it failed. */
    Optional<String> run(String... arguments);

    /** That of the terminal that controls this process. */
    static Stty ofProcess() {
        return arguments -> {
            List<String> command = new ArrayList<>(List.of("stty"));
            command.addAll(List.of(arguments));
            try {
                Process process =
                        new ProcessBuilder(command)
                                .redirectInput(new File("/dev/tty"))
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start();
                if (!process.waitFor(2, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    return Optional.empty();
                }
                byte[] said = process.getInputStream().readAllBytes();
                return process.exitValue() == 0
                        ? Optional.of(new String(said, StandardCharsets.US_ASCII).strip())
                        : Optional.empty();
            } catch (IOException e) {
                return Optional.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        };
    }
}
