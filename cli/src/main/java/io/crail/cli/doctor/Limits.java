// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Limits of this process as the kernel tells them (proc(5), {@code /proc/PID/limits}). */
final class Limits {
    static final long UNLIMITED = Long.MAX_VALUE;

    private Limits() {}

    /**
     * The hard limit of a resource. The soft one says little: the JVM raises that of files itself,
     * and a shell may raise each up to the hard one.
     */
    static OptionalLong hard(Machine machine, String resource) {
        Pattern line = Pattern.compile("(?m)^" + Pattern.quote(resource) + " +\\S+ +(\\S+)");
        Matcher matcher = line.matcher(machine.read("proc/self/limits").orElse(""));
        if (!matcher.find()) {
            return OptionalLong.empty();
        }
        String limit = matcher.group(1);
        if (limit.equals("unlimited")) {
            return OptionalLong.of(UNLIMITED);
        }
        try {
            return OptionalLong.of(Long.parseLong(limit));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
