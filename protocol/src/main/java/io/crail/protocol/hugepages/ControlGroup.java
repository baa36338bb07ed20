// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.hugepages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The limits of huge pages that the control groups of this process set, of version 1 and 2, or both
 * beside each other. A container may see its own group as the root, or a path that it cannot reach:
 * so every level is asked, down from the root, and one that says nothing does not limit.
 */
final class ControlGroup {
    /** Where hierarchies are usually mounted, and how version 1 and 2 call limit and usage. */
    private record Hierarchy(Path mount, String limit, String usage) {}

    private ControlGroup() {}

    /** Bytes of pages of one size that the groups still allow; empty if none sets a limit. */
    static OptionalLong usableBytes(Path root, long pageSize) {
        String prefix = "hugetlb." + nameOf(pageSize) + ".";
        Path groups = root.resolve("sys/fs/cgroup");
        List<String> lines;
        try {
            lines = Files.readAllLines(root.resolve("proc/self/cgroup"));
        } catch (IOException e) {
            return OptionalLong.empty(); // A kernel without control groups.
        }
        long usable = Long.MAX_VALUE;
        for (String line : lines) {
            String[] fields = line.split(":", 3); // number:controllers:path
            if (fields.length < 3) {
                continue;
            }
            if (fields[1].isEmpty()) {
                for (Path mount : List.of(groups, groups.resolve("unified"))) {
                    Hierarchy second = new Hierarchy(mount, prefix + "max", prefix + "current");
                    usable = Math.min(usable, usable(second, fields[2]));
                }
            } else if (List.of(fields[1].split(",", -1)).contains("hugetlb")) {
                Hierarchy first =
                        new Hierarchy(
                                groups.resolve("hugetlb"),
                                prefix + "limit_in_bytes",
                                prefix + "usage_in_bytes");
                usable = Math.min(usable, usable(first, fields[2]));
            }
        }
        return usable == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(usable);
    }

    /** As the kernel writes a size in names: 2MB, 1GB. */
    static String nameOf(long pageSize) {
        if (pageSize >= 1L << 30) {
            return (pageSize >> 30) + "GB";
        }
        return pageSize >= 1L << 20 ? (pageSize >> 20) + "MB" : (pageSize >> 10) + "KB";
    }

    private static long usable(Hierarchy hierarchy, String path) {
        long usable = usableAt(hierarchy, hierarchy.mount());
        Path level = hierarchy.mount();
        for (String name : path.split("/", -1)) {
            if (!name.isEmpty() && !name.equals("..")) {
                level = level.resolve(name);
                usable = Math.min(usable, usableAt(hierarchy, level));
            }
        }
        return usable;
    }

    private static long usableAt(Hierarchy hierarchy, Path group) {
        try {
            String limit = Files.readString(group.resolve(hierarchy.limit())).strip();
            if (limit.equals("max")) {
                return Long.MAX_VALUE;
            }
            String usage = Files.readString(group.resolve(hierarchy.usage())).strip();
            return Math.max(0, Long.parseLong(limit) - Long.parseLong(usage));
        } catch (IOException | NumberFormatException e) {
            return Long.MAX_VALUE; // No such level, or one without a limit.
        }
    }
}
