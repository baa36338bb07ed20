// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Flags of the JVMs of a local cluster: modest, because several processes share the machine. What
 * the user names is added, and wins: a default goes where the JVM would refuse the two together, or
 * where it would take the default for the stronger one.
 */
final class JvmFlags {
    /** Defaults by the environment variable of bin/crail to which users add theirs. */
    private static final Map<String, List<String>> DEFAULTS =
            Map.of(
                    "CRAIL_NAMENODE_OPTS",
                    List.of("-Xms64m", "-Xmx768m", "-XX:MaxDirectMemorySize=2g"),
                    "CRAIL_STORAGE_OPTS",
                    List.of(
                            "-XX:+UseSerialGC",
                            "-Xms64m",
                            "-Xmx256m",
                            "-XX:MaxDirectMemorySize=512m"));

    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC");
    private static final Pattern LARGEST_HEAP =
            Pattern.compile("-Xmx.*|-XX:(MaxHeapSize|MaxRAM|MaxRAMPercentage)=.*");

    /** The default must not be larger than the largest heap that a user allows. */
    private static final Pattern HEAP =
            Pattern.compile(LARGEST_HEAP + "|-Xms.*|-XX:(InitialHeapSize|InitialRAMPercentage)=.*");

    private JvmFlags() {}

    /** Completes the variables of a process that is to be started. */
    static void complete(Map<String, String> environment) {
        DEFAULTS.forEach(
                (variable, defaults) ->
                        environment.compute(variable, (name, users) -> join(defaults, users)));
    }

    private static String join(List<String> defaults, @Nullable String users) {
        List<String> named =
                users == null || users.isBlank() ? List.of() : List.of(users.trim().split("\\s+"));
        List<String> all = new ArrayList<>(defaults);
        all.removeIf(flag -> named.stream().anyMatch(rivals(flag).asMatchPredicate()));
        all.addAll(named);
        return String.join(" ", all);
    }

    /** What takes the place of a default. */
    private static Pattern rivals(String flag) {
        if (COLLECTOR.matcher(flag).matches()) {
            return COLLECTOR;
        }
        if (flag.startsWith("-Xms")) {
            return HEAP;
        }
        return flag.startsWith("-Xmx")
                ? LARGEST_HEAP
                : Pattern.compile(Pattern.quote(flag.substring(0, flag.indexOf('=') + 1)) + ".*");
    }
}
