// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.cli.terminal.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Results for programs, an object of JSON a line, each written when it is there: a run that is
 * interrupted keeps what it has measured. The file gets them, or, if there is none and a program
 * reads, standard output. Not thread-safe.
 *
 * <p>A file has, at any time, what was in it before the run or all results so far: it is replaced
 * by another one. What is no plain file (a link, a pipe, a terminal) is written to as it is.
 */
final class ResultLines {
    private final Invocation invocation;
    private final @Nullable Path file;
    private final StringBuilder lines = new StringBuilder();

    ResultLines(Invocation invocation, @Nullable Path file) {
        this.invocation = invocation;
        this.file = file;
    }

    /** Whether standard output is for programs, and not for people. */
    boolean areOutput() {
        return file == null && invocation.json();
    }

    /** Writes a result. */
    void add(Map<String, ? extends @Nullable Object> result) throws IOException {
        String line = Json.write(result) + "\n";
        boolean first = lines.isEmpty();
        lines.append(line);
        if (areOutput()) {
            invocation.out().print(line);
            invocation.out().flush();
        } else if (file != null) {
            write(file, line, first);
        }
    }

    private void write(Path target, String line, boolean first) throws IOException {
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
            replace(target);
        } else if (first) {
            Files.writeString(target, line);
        } else {
            Files.writeString(target, line, StandardOpenOption.APPEND);
        }
    }

    private void replace(Path target) throws IOException {
        Path temporary =
                target.resolveSibling(
                        String.format(".crail-%016x", ThreadLocalRandom.current().nextLong()));
        Leftovers.Removal removal =
                invocation.leftovers().add(() -> Files.deleteIfExists(temporary));
        try {
            Files.writeString(temporary, lines, StandardOpenOption.CREATE_NEW);
            Files.move(
                    temporary,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
            invocation.leftovers().forget(removal);
        }
    }
}
