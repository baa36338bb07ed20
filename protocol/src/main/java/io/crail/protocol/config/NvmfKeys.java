// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Keys of storage servers of the flash tier, {@code storage.tier = nvmf}. */
public final class NvmfKeys {
    public static final ConfigKey<Path> FILE =
            ConfigKey.of(
                    "storage.nvmf.file",
                    ValueType.path(),
                    "",
                    "File or block device that holds the blocks, for tier nvmf; a file is made if it"
                            + " does not exist, with storage.capacity bytes, one sixteenth of them"
                            + " for checksums; a device is used as a whole.");

    public static final ConfigKey<String> DIRECT =
            ConfigKey.of(
                    "storage.nvmf.direct",
                    ValueType.choice("preferred", "required", "off"),
                    "preferred",
                    "Whether the file is read and written past the page cache.");

    public static final ConfigKey<String> ALLOCATION =
            ConfigKey.of(
                    "storage.nvmf.allocation",
                    ValueType.choice("written", "sparse"),
                    "written",
                    "How a new file gets its space: written at once, which takes as long as it takes,"
                            + " or as it is needed, when it may be gone.");

    public static final ConfigKey<Integer> IO_QUEUES =
            ConfigKey.of(
                    "storage.nvmf.io-queues",
                    ValueType.integer(1, 256),
                    "16",
                    "Most I/O queues of a session; it asks for client.connections-per-server.");

    public static final ConfigKey<Integer> QUEUE_ENTRIES =
            ConfigKey.of(
                    "storage.nvmf.queue-entries",
                    ValueType.integer(2, 1024),
                    "128",
                    "Most commands under way on an I/O queue.");

    public static final ConfigKey<Integer> CONNECTIONS =
            ConfigKey.of(
                    "storage.nvmf.connections",
                    ValueType.integer(4, 16_384),
                    "512",
                    "Most connections at a time, two for each session or more; each has 32 KiB of"
                            + " direct memory set apart.");

    public static final ConfigKey<Integer> WORKERS =
            ConfigKey.of(
                    "storage.nvmf.workers",
                    ValueType.integer(1, 1024),
                    "32",
                    "Threads that wait for the file: accesses to it at a time.");

    public static final ConfigKey<Integer> EVENT_LOOPS =
            ConfigKey.of(
                    "storage.nvmf.event-loops",
                    ValueType.integer(0, 256),
                    "0",
                    "Threads that serve connections; 0 takes one for each two processors, 4 at most.");

    public static final ConfigKey<ByteSize> MEMORY =
            ConfigKey.of(
                    "storage.nvmf.memory",
                    ValueType.size("4 MiB", "1 GiB"),
                    "64 MiB",
                    "Direct memory for data on its way between connections and file.");

    public static final ConfigKey<ByteSize> SHARED_MEMORY =
            ConfigKey.of(
                    "storage.nvmf.shared-memory",
                    ValueType.size("0", "1 GiB"),
                    "256 MiB",
                    "Most memory to share with clients on this host and of this user, for their"
                            + " data on its way to and from the file, 16 MiB for each of their"
                            + " queues that moves much; 0 for none.");

    public static final ConfigKey<Integer> CONTROL_PORT =
            ConfigKey.of(
                    "storage.nvmf.control.port",
                    ValueType.integer(0, Endpoint.MAX_PORT),
                    "0",
                    "Port of the TCP service that answers the questions of a check; 0 takes any free"
                            + " one; blocks move over storage.bind.port only.");

    public static final ConfigKey<String> TARGET =
            ConfigKey.of(
                    "storage.nvmf.target",
                    ValueType.text(),
                    "",
                    "A target of NVMe over Fabrics that is not this server's own, instead of a file:"
                            + " tcp:HOST:PORT or rdma:HOST:PORT; this server takes a namespace of it"
                            + " as a whole, and clients connect to it.");

    public static final ConfigKey<String> NQN =
            ConfigKey.of(
                    "storage.nvmf.nqn", ValueType.text(), "", "Name of the target's subsystem.");

    public static final ConfigKey<Integer> NAMESPACE =
            ConfigKey.of(
                    "storage.nvmf.namespace",
                    ValueType.integer(1, Integer.MAX_VALUE),
                    "1",
                    "Number of the namespace in the target's subsystem.");

    public static final ConfigKey<Duration> KEEP_ALIVE =
            ConfigKey.of(
                    "storage.nvmf.keep-alive",
                    ValueType.duration("1 s", "15 s"),
                    "5 s",
                    "Silence after which a target that is not this server's own gives a client up;"
                            + " fixed when the namespace is formatted; freed blocks are kept from"
                            + " use for ten times as long where the target has no reservations.");

    public static final ConfigKey<Boolean> DEALLOCATE =
            ConfigKey.of(
                    "storage.nvmf.deallocate",
                    ValueType.flag(),
                    "true",
                    "Whether a target that is not this server's own, and has Dataset Management, is"
                            + " told which blocks were freed, before they are used again.");

    static final List<ConfigKey<?>> ALL =
            List.of(
                    FILE,
                    TARGET,
                    NQN,
                    NAMESPACE,
                    KEEP_ALIVE,
                    DEALLOCATE,
                    DIRECT,
                    ALLOCATION,
                    IO_QUEUES,
                    QUEUE_ENTRIES,
                    CONNECTIONS,
                    WORKERS,
                    EVENT_LOOPS,
                    MEMORY,
                    SHARED_MEMORY,
                    CONTROL_PORT);

    private NvmfKeys() {}
}
