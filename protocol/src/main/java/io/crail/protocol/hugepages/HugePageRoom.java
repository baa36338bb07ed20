// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.hugepages;

import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many huge pages of one size a process can still have, at one moment, and what limits that:
 * the kernel's pool, the size that the mount was given, or the control group of the process.
 *
 * <p>The first two are enforced by {@code mmap}, which reserves all pages of a file or fails. The
 * limit of a control group may be enforced only when a page is touched, by SIGBUS (kernel document
 * admin-guide/cgroup-v2, HugeTLB): nobody but a look in advance protects from that one.
 *
 * @param pageSize bytes of a page
 * @param pooled pages that the pool has now, used or not
 * @param available pages that can still be had
 * @param limit what keeps it from being more
 * @param isDefaultSize whether {@code vm.nr_hugepages} counts pages of this size
 */
public record HugePageRoom(
        long pageSize, long pooled, long available, Limit limit, boolean isDefaultSize) {
    private static final Pattern DEFAULT = Pattern.compile("(?m)^Hugepagesize: +(\\d+) kB");

    /** What limits the pages of a process. */
    public enum Limit {
        POOL,
        MOUNT,
        CONTROL_GROUP
    }

    /**
     * Asks the kernel.
     *
     * @param root below which {@code proc} and {@code sys} are
     * @param mountTotal bytes that the mount may hold, 0 = no limit of its own
     * @param mountUsable bytes of them that are free
     * @throws IOException if the kernel tells nothing of pages of this size
     */
    public static HugePageRoom of(Path root, long pageSize, long mountTotal, long mountUsable)
            throws IOException {
        Path pool = root.resolve(pool(pageSize));
        long pooled = number(pool, "nr_hugepages");
        long reserved = number(pool, "resv_hugepages");
        long more = number(pool, "nr_overcommit_hugepages") - number(pool, "surplus_hugepages");
        long available = number(pool, "free_hugepages") - reserved + Math.max(0, more);
        Limit limit = Limit.POOL;
        if (mountTotal > 0 && mountUsable / pageSize < available) {
            available = mountUsable / pageSize;
            limit = Limit.MOUNT;
        }
        OptionalLong group = ControlGroup.usableBytes(root, pageSize);
        if (group.isPresent() && group.getAsLong() / pageSize < available) {
            available = group.getAsLong() / pageSize;
            limit = Limit.CONTROL_GROUP;
        }
        return new HugePageRoom(
                pageSize, pooled, Math.max(0, available), limit, isDefault(root, pageSize));
    }

    private static String pool(long pageSize) {
        return "sys/kernel/mm/hugepages/hugepages-" + (pageSize >> 10) + "kB";
    }

    private static long number(Path directory, String file) throws IOException {
        return Long.parseLong(Files.readString(directory.resolve(file)).strip());
    }

    private static boolean isDefault(Path root, long pageSize) throws IOException {
        Matcher matcher = DEFAULT.matcher(Files.readString(root.resolve("proc/meminfo")));
        return matcher.find() && Long.parseLong(matcher.group(1)) << 10 == pageSize;
    }

    /** What to do to have so many pages, instead of those that are available. */
    public String remedy(Path directory, long needed) {
        long missing = Math.max(0, needed - available);
        return switch (limit) {
            case POOL ->
                    isDefaultSize
                            ? "as root: sysctl -w vm.nr_hugepages=" + (pooled + missing)
                            : "as root: echo "
                                    + (pooled + missing)
                                    + " > /"
                                    + pool(pageSize)
                                    + "/nr_hugepages";
            case MOUNT ->
                    "the mount itself is limited: as root, mount -o remount,size=... "
                            + directory
                            + " with "
                            + new ByteSize(missing * pageSize)
                            + " more";
            case CONTROL_GROUP ->
                    "the control group of the process is limited: raise hugetlb."
                            + ControlGroup.nameOf(pageSize)
                            + ".max by "
                            + new ByteSize(missing * pageSize)
                            + " (in Kubernetes, the limit hugepages-"
                            + kubernetesName()
                            + " of the container)";
        };
    }

    private String kubernetesName() {
        return new ByteSize(pageSize).toString().replace(" ", "").replace("B", "");
    }
}
