// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.cluster.MachineMemory;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.config.ByteSize;
import java.util.Optional;

/**
 * How large the generated file and the storage servers can be.
 *
 * @param file bytes of the generated file
 * @param multiFile bytes of the multifile at most
 * @param capacity bytes that each storage server offers
 * @param message what to tell about it, if it is less than was asked for
 */
record MemoryPlan(long file, long multiFile, ByteSize capacity, Optional<String> message) {
    static final int SERVERS = 2;

    private static final long MIB = 1L << 20;

    /** What the processes themselves need, apart from the segments. */
    private static final long PROCESSES = 1024 * MIB;

    /** Room for blocks that are granted ahead or being freed. */
    private static final long SLACK = 64 * MIB;

    /** What small files may waste at most: the smallest block. */
    private static final long SMALLEST_BLOCK = 4096;

    private static final long SMALLEST_FILE = 8 * MIB;

    private static final long LARGEST_MULTIFILE = 512 * MIB;

    static MemoryPlan of(ByteSize wanted, SourceTree tree, MachineMemory memory)
            throws OutOfSpaceException {
        long room = Math.min(memory.available() - PROCESSES, memory.room()) / 10 * 9;
        long others = others(tree);
        // The multifile is half as large.
        long file = Math.min(wanted.bytes(), (room - others) * 2 / 3 / MIB * MIB);
        if (file < Math.min(wanted.bytes(), SMALLEST_FILE)) {
            throw new OutOfSpaceException(
                    "quickstart needs "
                            + new ByteSize(others + SMALLEST_FILE).rounded()
                            + " of memory for the tree alone, and the machine has "
                            + new ByteSize(Math.max(room, 0)).rounded()
                            + " to spare; choose a smaller --tree or free memory");
        }
        long perServer = (file + multiFile(file) + others + SERVERS - 1) / SERVERS;
        ByteSize capacity = new ByteSize((perServer + MIB - 1) / MIB * MIB);
        return new MemoryPlan(file, multiFile(file), capacity, message(wanted, file, memory));
    }

    /** What everything needs in crail if memory is not short. */
    static long wanted(ByteSize file, SourceTree tree) {
        return file.bytes() + multiFile(file.bytes()) + others(tree);
    }

    private static long multiFile(long file) {
        return Math.min(file / 2, LARGEST_MULTIFILE);
    }

    /** What is needed besides the generated file, and a multifile of half its size. */
    private static long others(SourceTree tree) {
        return tree.bytes()
                + tree.files().size() * SMALLEST_BLOCK
                + StreamStep.BYTES
                + MultiFileStep.total(0)
                + SLACK;
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
