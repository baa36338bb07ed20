// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.StorageKeys;
import io.crail.protocol.hugepages.HugePageMount;
import io.crail.protocol.hugepages.HugePageRoom;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether segments lie in huge pages: these save page faults and table walks, and nothing needs
 * them. They come from the kernel's pool if storage.huge-pages.dir says so (kernel document
 * admin-guide/mm/hugetlbpage), else from tmpfs (admin-guide/mm/transhuge).
 */
final class HugePagesCheck implements Check {
    private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)\\]");
    private static final Pattern HUGE = Pattern.compile("(?:^|,)huge=(\\w+)");
    private static final Pattern RESERVED = Pattern.compile("(?m)^HugePages_Total: +(\\d+)");
    private static final Pattern PAGE = Pattern.compile("(?m)^Hugepagesize: +(\\d+) kB");
    private static final Set<String> USED = Set.of("always", "within_size", "advise");

    private final Machine machine;
    private final Configuration values;

    HugePagesCheck(Machine machine, Configuration values) {
        this.machine = machine;
        this.values = values;
    }

    @Override
    public String subject() {
        return "huge pages";
    }

    @Override
    public List<Finding> look() {
        Path configured = values.get(StorageKeys.HUGE_PAGES);
        if (!configured.toString().isEmpty()) {
            return List.of(pool(configured.toAbsolutePath()));
        }
        List<Finding> found = new ArrayList<>();
        found.add(sharedMemory());
        long reserved = (number(RESERVED) * number(PAGE)) << 10;
        if (reserved > 0) {
            found.add(
                    Finding.warning(
                            Text.size(reserved)
                                    + " are reserved for hugetlbfs, and storage.huge-pages.dir is"
                                    + " not set: they are missing elsewhere",
                            "set storage.huge-pages.dir to a directory on a hugetlbfs; unless"
                                    + " another program uses them, 'sysctl vm.nr_hugepages=0'"));
        }
        return found;
    }

    /** Whether a storage server of this configuration could have its segments in a directory. */
    private Finding pool(Path directory) {
        String ready = "make " + directory + " usable, or leave storage.huge-pages.dir empty";
        try {
            if (!Files.exists(directory)) {
                return Finding.problem(
                        "there is no " + directory, HugePageMount.howToMount(directory));
            }
            Machine.Space space = machine.spaceOf(directory);
            if (!HugePageMount.isHugePages(space.type())) {
                return Finding.problem(
                        directory + " is on " + space.type() + ", not on a hugetlbfs",
                        HugePageMount.howToMount(directory));
            }
            if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
                return Finding.problem(
                        directory + " is no directory that this user may write",
                        HugePageMount.howToBeAllowed());
            }
            HugePageMount mount = new HugePageMount(directory, space.block(), machine.root());
            return room(
                    mount,
                    HugePageRoom.of(machine.root(), space.block(), space.total(), space.usable()));
        } catch (InvalidArgumentException e) {
            return Finding.problem(String.valueOf(e.getMessage()), ready);
        } catch (IOException e) {
            return Finding.problem("the kernel does not tell its huge pages: " + e, ready);
        }
    }

    private Finding room(HugePageMount mount, HugePageRoom room) throws InvalidArgumentException {
        long capacity = values.get(StorageKeys.CAPACITY).bytes();
        long cut =
                SegmentLayout.segmentSize(capacity, values.get(StorageKeys.SEGMENT_SIZE).bytes());
        long needed = mount.pagesFor(capacity, mount.segmentSize(cut, capacity));
        String what =
                mount.directory()
                        + " has "
                        + room.available()
                        + " free "
                        + mount.pages()
                        + ", a new storage server of storage.capacity = "
                        + values.get(StorageKeys.CAPACITY)
                        + " takes "
                        + needed;
        if (room.available() >= needed) {
            return Finding.ok(what);
        }
        String remedy = room.remedy(mount.directory(), needed) + ", or lower storage.capacity";
        return room.pooled() < needed
                ? Finding.problem(what, remedy)
                : Finding.warning(
                        what + " (one that has its segments there already needs no more)", remedy);
    }

    private Finding sharedMemory() {
        String kernel = chosen("sys/kernel/mm/transparent_hugepage/shmem_enabled");
        String mount = mountOption("/dev/shm");
        if (kernel.equals("deny")) {
            return Finding.ok(
                    "none in shared memory: the kernel denies them (shmem_enabled); 4 KiB pages"
                            + " work, too",
                    "for more throughput, 'echo never > /sys/kernel/mm/transparent_hugepage/"
                            + "shmem_enabled', then mount /dev/shm with huge=within_size");
        }
        if (kernel.equals("force") || mount.equals("always") || mount.equals("within_size")) {
            return Finding.ok("segments in /dev/shm lie in huge pages");
        }
        return Finding.ok(
                "none in /dev/shm"
                        + (mount.isEmpty() || !USED.contains(mount) ? "" : " (huge=" + mount + ")")
                        + "; 4 KiB pages work, too",
                "for more throughput, as root: mount -o remount,huge=within_size /dev/shm");
    }

    private String chosen(String file) {
        Matcher matcher = CHOSEN.matcher(machine.read(file).orElse(""));
        return matcher.find() ? matcher.group(1) : "";
    }

    private String mountOption(String mountPoint) {
        String option = "";
        for (String line : machine.read("proc/mounts").orElse("").split("\n", -1)) {
            String[] fields = line.split(" ", -1);
            if (fields.length > 3 && fields[1].equals(mountPoint)) {
                Matcher matcher = HUGE.matcher(fields[3]);
                option = matcher.find() ? matcher.group(1) : "";
            }
        }
        return option;
    }

    private long number(Pattern pattern) {
        Matcher matcher = pattern.matcher(machine.read("proc/meminfo").orElse(""));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
