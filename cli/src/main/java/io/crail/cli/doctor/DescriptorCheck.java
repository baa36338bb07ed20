// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.util.List;
import java.util.OptionalLong;

/** Whether a server may have as many connections and files as it needs. */
final class DescriptorCheck implements Check {
    /** A server with a hundred clients: connections, segments, libraries. */
    private static final long NEEDED = 1024;

    /** One with thousands of them. */
    private static final long COMFORTABLE = 16_384;

    private static final String RAISE =
            "raise it: 'ulimit -n' in the shell, nofile in /etc/security/limits.conf, LimitNOFILE="
                    + " of the systemd unit, or --ulimit nofile= of the container";

    private final Machine machine;

    DescriptorCheck(Machine machine) {
        this.machine = machine;
    }

    @Override
    public String subject() {
        return "open files";
    }

    @Override
    public List<Finding> look() {
        OptionalLong limit = Limits.hard(machine, "Max open files");
        if (limit.isEmpty()) {
            return List.of(Finding.ok("the limit is not known: /proc/self/limits does not tell"));
        }
        long files = limit.getAsLong();
        String what = "a process may have " + (files == Limits.UNLIMITED ? "any number of" : files);
        if (files < NEEDED) {
            return List.of(
                    Finding.problem(
                            what + " open files; each client of a server takes some", RAISE));
        }
        return List.of(
                files < COMFORTABLE
                        ? Finding.warning(
                                what + " open files, which is little for thousands of clients",
                                RAISE)
                        : Finding.ok(what + " open files"));
    }
}
