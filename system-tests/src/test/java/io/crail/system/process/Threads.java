// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the kernel knows of the threads of a process whose names begin alike.
 *
 * @param process its id
 * @param prefix at most 15 characters, all that the kernel keeps
 */
public record Threads(long process, String prefix) {
    /** Times that they have gone to sleep, since they were started. */
    public long sleeps() {
        return files("status").stream().mapToLong(Threads::sleeps).sum();
    }

    /** Whether all of them sleep now. */
    public boolean sleep() {
        List<String> all = files("stat");
        return !all.isEmpty()
                && all.stream().allMatch(stat -> stat.startsWith(") S", stat.lastIndexOf(')')));
    }

    private static long sleeps(String status) {
        return status.lines()
                .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .sum();
    }

    private List<String> files(String name) {
        Path tasks = Path.of("/proc", Long.toString(process), "task");
        try (Stream<Path> each = Files.list(tasks)) {
            return each.filter(task -> read(task, "comm").startsWith(prefix))
                    .map(task -> read(task, name))
                    .filter(text -> !text.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path task, String name) {
        try {
            return Files.readString(task.resolve(name));
        } catch (NoSuchFileException e) {
            return ""; // It has ended meanwhile.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
