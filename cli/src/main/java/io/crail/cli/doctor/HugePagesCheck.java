// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether segments lie in huge pages: these save page faults and table walks, and nothing needs
 * them. Segments are ordinary files, so huge pages come to them through tmpfs (kernel document
 * admin-guide/mm/transhuge), not through hugetlbfs, whose files cannot be written.
 */
final class HugePagesCheck implements Check {
    private static final Pattern CHOSEN = Pattern.compile("\\[(\\w+)\\]");
    private static final Pattern HUGE = Pattern.compile("(?:^|,)huge=(\\w+)");
    private static final Pattern RESERVED = Pattern.compile("(?m)^HugePages_Total: +(\\d+)");
    private static final Pattern PAGE = Pattern.compile("(?m)^Hugepagesize: +(\\d+) kB");
    private static final Set<String> USED = Set.of("always", "within_size", "advise");

    private final Machine machine;

    HugePagesCheck(Machine machine) {
        this.machine = machine;
    }

    @Override
    public String subject() {
        return "huge pages";
    }

    @Override
    public List<Finding> look() {
        List<Finding> found = new ArrayList<>();
        found.add(sharedMemory());
        long reserved = (number(RESERVED) * number(PAGE)) << 10;
        if (reserved > 0) {
            found.add(
                    Finding.warning(
                            Text.size(reserved)
                                    + " are reserved for hugetlbfs, which crail does not use: they"
                                    + " are missing elsewhere",
                            "unless another program uses them, 'sysctl vm.nr_hugepages=0'"));
        }
        return found;
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
