// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a process from any other that ever had or will have the same id: by its id, its start time
 * in clock ticks since boot, and the boot. All three are the kernel's, so that a change of the wall
 * clock disturbs nothing.
 *
 * @param pid process id
 * @param startTicks field 22 of {@code /proc/PID/stat}
 * @param boot id of the boot
 */
public record ProcessMark(long pid, long startTicks, String boot) {
    private static final int START_FIELD = 22;

    /** USER_HZ, which is the same on every architecture that we run on. */
    private static final int TICKS_PER_SECOND = 100;

    /** The mark of a process that runs; empty if none does under that id. */
    public static Optional<ProcessMark> of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The second field is the name in parentheses, and may hold blanks and parentheses.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean zombie = fields[0].equals("Z") || fields[0].equals("X");
            return zombie
                    ? Optional.empty()
                    : Optional.of(
                            new ProcessMark(
                                    pid, Long.parseLong(fields[START_FIELD - 3]), bootId()));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String bootId() throws IOException {
        return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).trim();
    }

    /** The process, if it still runs and is the same. */
    public Optional<ProcessHandle> process() {
        return of(pid).filter(this::equals).flatMap(same -> ProcessHandle.of(pid));
    }

    /** How long the process has run, if it still does. */
    public Optional<Duration> uptime() {
        if (process().isEmpty()) {
            return Optional.empty();
        }
        try {
            String uptime = Files.readString(Path.of("/proc/uptime"));
            double boot = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
            long millis = (long) (1000 * (boot - (double) startTicks / TICKS_PER_SECOND));
            return Optional.of(Duration.ofMillis(Math.max(0, millis)));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Writes the mark to a file, which then exists only complete. */
    public void write(Path file) throws IOException {
        AtomicFile.write(file, pid + " " + startTicks + " " + boot + "\n");
    }

    /** Reads a mark; null if there is no such file or it holds none. */
    public static @Nullable ProcessMark read(Path file) {
        try {
            String[] parts = Files.readString(file).trim().split(" ", -1);
            return parts.length == 3
                    ? new ProcessMark(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2])
                    : null;
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }
}
