// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.StorageKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a storage server of this configuration finds room for its segments. */
final class SharedMemoryCheck implements Check {
    /** What a container gets if nobody says more. */
    private static final long CONTAINER = 64L << 20;

    /** Beside each 4 KiB of data lie 12 bytes that describe them. */
    private static final long SLOT = 4096;

    private static final long RECORD = 12;
    private static final Pattern AVAILABLE = Pattern.compile("(?m)^MemAvailable: +(\\d+) kB");
    private static final String SHARED_MEMORY = "/dev/shm";

    private final Machine machine;
    private final Configuration values;

    SharedMemoryCheck(Machine machine, Configuration values) {
        this.machine = machine;
        this.values = values;
    }

    @Override
    public String subject() {
        return "memory";
    }

    @Override
    public List<Finding> look() {
        Path configured = values.get(StorageKeys.DIRECTORY);
        boolean isDefault = configured.toString().isEmpty();
        Path directory = isDefault ? Path.of(SHARED_MEMORY) : configured;
        if (isDefault && !machine.exists("dev/shm")) {
            return List.of(
                    Finding.problem(
                            "there is no /dev/shm, where segments lie by default",
                            "mount a tmpfs there, or set storage.dir"));
        }
        Machine.Space space;
        try {
            space = machine.spaceOf(directory);
        } catch (IOException e) {
            return List.of(
                    Finding.problem(
                            "the file system of " + directory + " does not tell its size: " + e,
                            "set storage.dir to a directory that this user can reach"));
        }
        if (!values.get(StorageKeys.HUGE_PAGES).toString().isEmpty()) {
            // The room for segments is the affair of the check of huge pages.
            return List.of(Finding.ok("segments go to huge pages, little else to " + directory));
        }
        List<Finding> found = new ArrayList<>();
        found.add(room(directory, space));
        kind(directory, space).ifPresent(found::add);
        available().ifPresent(found::add);
        return found;
    }

    private long needed() {
        long capacity = values.get(StorageKeys.CAPACITY).bytes();
        return capacity + (capacity + SLOT - 1) / SLOT * RECORD;
    }

    private Finding room(Path directory, Machine.Space space) {
        String what = directory + " has " + Text.size(space.total());
        String wanted = Text.size(needed()) + " for storage.capacity = " + capacity();
        String less = "or set storage.capacity to less, or storage.dir to another place";
        if (space.total() < needed()) {
            String grow =
                    space.total() == CONTAINER
                            ? "this is the default of a container: start it with --shm-size (in"
                                    + " Kubernetes, mount an emptyDir of medium Memory there), "
                            : "make it larger (mount -o remount,size=... " + directory + "), ";
            return Finding.problem(what + ", a storage server needs " + wanted, grow + less);
        }
        if (space.usable() < needed()) {
            return Finding.warning(
                    what
                            + ", of which "
                            + Text.size(space.usable())
                            + " are free; a new storage server needs "
                            + wanted
                            + " (one that has its segments there already needs no more)",
                    "remove what is not needed there, " + less);
        }
        return Finding.ok(what + ", " + Text.size(space.usable()) + " free, enough for " + wanted);
    }

    private String capacity() {
        return values.get(StorageKeys.CAPACITY).toString();
    }

    private static Optional<Finding> kind(Path directory, Machine.Space space) {
        return switch (space.type()) {
            case "tmpfs", "ramfs" -> Optional.empty();
            case "hugetlbfs" ->
                    Optional.of(
                            Finding.problem(
                                    directory + " is a hugetlbfs, whose files cannot be written",
                                    "set storage.huge-pages.dir to it instead of storage.dir"));
            default ->
                    Optional.of(
                            Finding.warning(
                                    directory
                                            + " is not in memory, but of type "
                                            + space.type()
                                            + ": the kernel writes every change to its disk",
                                    "set storage.dir to a directory in a tmpfs"));
        };
    }

    private Optional<Finding> available() {
        Matcher matcher = AVAILABLE.matcher(machine.read("proc/meminfo").orElse(""));
        if (!matcher.find()) {
            return Optional.empty();
        }
        long bytes = Long.parseLong(matcher.group(1)) << 10;
        return Optional.of(
                bytes >= needed()
                        ? Finding.ok(Text.size(bytes) + " of memory are available")
                        : Finding.warning(
                                Text.size(bytes)
                                        + " of memory are available, less than storage.capacity = "
                                        + capacity()
                                        + " takes",
                                "set storage.capacity to less, or end other programs"));
    }
}
