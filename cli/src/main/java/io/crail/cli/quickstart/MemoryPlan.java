// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.error.OutOfSpaceException;
import io.crail.protocol.config.ByteSize;
import java.util.Optional;

/**
 * How large the generated file and the storage servers can be.
 *
 * @param file bytes of the generated file
 * @param capacity bytes that each storage server offers
 * @param message what to tell about it, if it is less than was asked for
 */
record MemoryPlan(long file, ByteSize capacity, Optional<String> message) {
    static final int SERVERS = 2;

    private static final long MIB = 1L << 20;

    /** What the processes themselves need, apart from the segments. */
    private static final long PROCESSES = 640 * MIB;

    /** Room for blocks that are granted ahead or being freed. */
    private static final long SLACK = 64 * MIB;

    /** What small files may waste at most: the smallest block. */
    private static final long SMALLEST_BLOCK = 4096;

    private static final long SMALLEST_FILE = 8 * MIB;

    static MemoryPlan of(ByteSize wanted, SourceTree tree, MachineMemory memory)
            throws OutOfSpaceException {
        long room = Math.min(memory.available() - PROCESSES, memory.room()) / 10 * 9;
        long others = others(tree);
        long file = Math.min(wanted.bytes(), (room - others) / MIB * MIB);
        if (file < Math.min(wanted.bytes(), SMALLEST_FILE)) {
            throw new OutOfSpaceException(
                    "quickstart needs "
                            + new ByteSize(others + SMALLEST_FILE).rounded()
                            + " of memory for the tree alone, and the machine has "
                            + new ByteSize(Math.max(room, 0)).rounded()
                            + " to spare; choose a smaller --tree or free memory");
        }
        long perServer = (file + others + SERVERS - 1) / SERVERS;
        ByteSize capacity = new ByteSize((perServer + MIB - 1) / MIB * MIB);
        return new MemoryPlan(file, capacity, message(wanted, file, memory));
    }

    /** What is needed besides the generated file. */
    static long others(SourceTree tree) {
        return tree.bytes() + tree.files().size() * SMALLEST_BLOCK + SLACK;
    }

    private static Optional<String> message(ByteSize wanted, long file, MachineMemory memory) {
        return file == wanted.bytes()
                ? Optional.empty()
                : Optional.of(
                        "memory is short ("
                                + new ByteSize(memory.available()).rounded()
                                + " available, "
                                + new ByteSize(memory.room()).rounded()
                                + " free for segments): the generated file is "
                                + new ByteSize(file).rounded()
                                + " instead of "
                                + wanted.rounded());
    }
}
