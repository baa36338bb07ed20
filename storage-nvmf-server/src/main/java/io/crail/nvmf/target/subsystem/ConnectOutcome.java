// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

/** What comes of a Connect. */
public sealed interface ConnectOutcome {
    /** The connection is a queue now. */
    record Connected(HostQueue queue) implements ConnectOutcome {}

    /**
     * It is not.
     *
     * @param status as in the completion
     * @param result of the completion: which parameter was invalid
     */
    record Refused(int status, long result) implements ConnectOutcome {}

    /**
     * Not yet: commands that the host left behind are still at the medium, and what a new queue
     * wrote could be overwritten by them. To be tried again soon.
     */
    record Wait() implements ConnectOutcome {}
}
