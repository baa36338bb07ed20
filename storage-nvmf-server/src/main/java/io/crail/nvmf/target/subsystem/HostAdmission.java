// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

/**
 * Says which hosts may connect, besides the list of the target, where what a host knows decides and
 * not only its name. Thread-safe; must not block, and must not call the target.
 */
@FunctionalInterface
public interface HostAdmission {
    /** Who is on the list is admitted. */
    HostAdmission ALL = host -> Verdict.ADMITTED;

    /** What is said of a host. */
    enum Verdict {
        ADMITTED,
        /** It is told that it is not admitted. */
        REFUSED,
        /** It is told to come again: this target cannot tell yet. */
        LATER
    }

    /** Asked at each Connect of an admin queue; its I/O queues are of the same host. */
    Verdict ask(HostIdentity host);
}
