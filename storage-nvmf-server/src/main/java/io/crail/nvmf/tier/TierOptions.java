// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.target.backing.DirectIo;
import io.crail.storage.spi.TierContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What the tier is told, checked.
 *
 * @param file the file or block device
 * @param bytes size of a file that is made; 0: what is there has its size
 * @param direct whether to go past the page cache
 * @param allocation how a new file gets its space
 * @param ioQueues most I/O queues of a session
 * @param queueEntries most commands under way on a queue
 * @param connections most connections at a time
 * @param workers threads that wait for the medium
 * @param eventLoops threads that serve connections, 0 = the target's own choice
 * @param memory bytes for data of commands under way
 * @param sharedMemory bytes of memory to share with clients of this host; 0 for none
 * @param controlPort port of the service that answers questions, 0 = any free one
 * @param transport how that service talks to the kernel
 */
record TierOptions(
        Path file,
        long bytes,
        DirectIo direct,
        Allocation allocation,
        int ioQueues,
        int queueEntries,
        int connections,
        int workers,
        int eventLoops,
        long memory,
        long sharedMemory,
        int controlPort,
        String transport) {
    static final String FILE = "file";
    static final String DIRECT = "direct";
    static final String ALLOCATION = "allocation";
    static final String IO_QUEUES = "io_queues";
    static final String QUEUE_ENTRIES = "queue_entries";
    static final String CONNECTIONS = "connections";
    static final String WORKERS = "workers";
    static final String EVENT_LOOPS = "event_loops";
    static final String MEMORY = "memory";
    static final String SHARED_MEMORY = "shared_memory";
    static final String CONTROL_PORT = "control_port";
    static final String TRANSPORT = "transport";

    private static final Set<String> KNOWN =
            Set.of(
                    FILE,
                    DIRECT,
                    ALLOCATION,
                    IO_QUEUES,
                    QUEUE_ENTRIES,
                    CONNECTIONS,
                    WORKERS,
                    EVENT_LOOPS,
                    MEMORY,
                    SHARED_MEMORY,
                    CONTROL_PORT,
                    TRANSPORT);

    private static final long UNIT = 4096;
    private static final int MAX_PORT = 0xFFFF;

    static TierOptions of(TierContext context) throws InvalidArgumentException {
        Map<String, String> options = context.options();
        for (String option : options.keySet()) {
            if (!KNOWN.contains(option)) {
                throw new InvalidArgumentException(
                        "tier nvmf has no option " + option + ", only " + KNOWN);
            }
        }
        String file = options.getOrDefault(FILE, "");
        if (file.isEmpty()) {
            throw new InvalidArgumentException(
                    "tier nvmf needs a file or a block device: --file, or storage.nvmf.file");
        }
        Path path = Path.of(file).toAbsolutePath();
        boolean device = Files.exists(path) && !Files.isRegularFile(path);
        return new TierOptions(
                path,
                device ? 0 : context.capacity() & -UNIT,
                choice(options, DIRECT, DirectIo.class, DirectIo.PREFERRED),
                choice(options, ALLOCATION, Allocation.class, Allocation.WRITTEN),
                number(options, IO_QUEUES, 16, 1, 256),
                number(options, QUEUE_ENTRIES, 128, 2, 1024),
                number(options, CONNECTIONS, 512, 4, 16_384),
                number(options, WORKERS, 32, 1, 1024),
                number(options, EVENT_LOOPS, 0, 0, 256),
                number(options, MEMORY, 64 << 20, 4 << 20, 1 << 30),
                number(options, SHARED_MEMORY, 256 << 20, 0, 1 << 30),
                number(options, CONTROL_PORT, 0, 0, MAX_PORT),
                options.getOrDefault(TRANSPORT, "auto"));
    }

    static int number(Map<String, String> options, String key, int byDefault, int least, int most)
            throws InvalidArgumentException {
        String text = options.getOrDefault(key, Integer.toString(byDefault));
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(key + " = " + text + " is no number", e);
        }
        throw new InvalidArgumentException(
                key + " = " + text + " is outside " + least + " .. " + most);
    }

    private static <E extends Enum<E>> E choice(
            Map<String, String> options, String key, Class<E> type, E byDefault)
            throws InvalidArgumentException {
        String text = options.getOrDefault(key, byDefault.name());
        try {
            return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(
                    key
                            + " = "
                            + text
                            + " is none of "
                            + java.util.Arrays.toString(type.getEnumConstants())
                                    .toLowerCase(Locale.ROOT),
                    e);
        }
    }
}
