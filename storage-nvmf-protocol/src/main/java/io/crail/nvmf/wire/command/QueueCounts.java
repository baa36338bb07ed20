// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

/**
 * Value of the feature Number of Queues (NVMe Base 2.0, section 5.27.1.5): submission queues in
 * bits 15:0, completion queues in 31:16, both from zero and without the admin queue. The host asks
 * in CDW11, the controller answers in DW0.
 */
public final class QueueCounts {
    private QueueCounts() {}

    /** The value for so many queues of each kind, at least 1. */
    public static int of(int submissionQueues, int completionQueues) {
        return ((submissionQueues - 1) & 0xFFFF) | ((completionQueues - 1) << 16);
    }

    public static int submissionQueues(int value) {
        return (value & 0xFFFF) + 1;
    }

    public static int completionQueues(int value) {
        return (value >>> 16) + 1;
    }
}
