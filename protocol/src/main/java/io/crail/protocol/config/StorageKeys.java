// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.nio.file.Path;
import java.util.List;

/** Keys of storage servers. */
public final class StorageKeys {
    public static final ConfigKey<String> TIER =
            ConfigKey.of(
                    "storage.tier",
                    ValueType.text(),
                    "dram",
                    "Kind of storage to offer, by the name of its provider: dram or nvmf.");

    public static final ConfigKey<Path> DIRECTORY =
            ConfigKey.of(
                    "storage.dir",
                    ValueType.path(),
                    "",
                    "Directory of segments and identity; empty takes one in /dev/shm, by user and"
                            + " port, or for tier nvmf FILE.server beside the file.");

    public static final ConfigKey<ByteSize> CAPACITY =
            ConfigKey.of(
                    "storage.capacity",
                    ValueType.size("1 MiB", "1 PiB"),
                    "1 GiB",
                    "Bytes of data to offer.");

    public static final ConfigKey<ByteSize> SEGMENT_SIZE =
            ConfigKey.of(
                    "storage.segment.size",
                    ValueType.size("1 MiB", "1 GiB"),
                    "256 MiB",
                    "Largest size of a new segment; the capacity is cut into segments of one size.");

    public static final ConfigKey<Path> HUGE_PAGES =
            ConfigKey.of(
                    "storage.huge-pages.dir",
                    ValueType.path(),
                    "",
                    "Directory on a mounted hugetlbfs, to keep the segments in huge pages; empty"
                            + " keeps them in storage.dir.");

    public static final ConfigKey<Integer> STORAGE_CLASS =
            ConfigKey.of(
                    "storage.class",
                    ValueType.integer(0, 255),
                    "0",
                    "Rank of this storage; class 0 is filled first; tier nvmf has 1 if this is not set.");

    public static final ConfigKey<String> LOCATION =
            ConfigKey.of(
                    "storage.location",
                    ValueType.text(),
                    "",
                    "Location class of the server (host or rack).");

    public static final ConfigKey<String> BIND_HOST =
            ConfigKey.of(
                    "storage.bind.host",
                    ValueType.text(),
                    "127.0.0.1",
                    "Address to listen on; 0.0.0.0 for all.");

    public static final ConfigKey<Integer> BIND_PORT =
            ConfigKey.of(
                    "storage.bind.port",
                    ValueType.integer(0, Endpoint.MAX_PORT),
                    "0",
                    "Port to listen on; 0 takes any free one.");

    public static final ConfigKey<String> ADVERTISE =
            ConfigKey.of(
                    "storage.advertise.hosts",
                    ValueType.text(),
                    "",
                    "Host names or addresses to announce to clients, separated by commas; empty takes"
                            + " the address listened on.");

    public static final ConfigKey<String> HOST_NAME =
            ConfigKey.of(
                    "storage.host-name",
                    ValueType.text(),
                    "",
                    "Name of the server's host; empty takes the host's own.");

    public static final ConfigKey<String> TRANSPORT =
            ConfigKey.of(
                    "storage.transport",
                    ValueType.choice("auto", "nio", "epoll", "io_uring"),
                    "auto",
                    "How the TCP data path waits for the kernel.");

    public static final ConfigKey<Integer> THREADS =
            ConfigKey.of(
                    "storage.threads",
                    ValueType.integer(0, 1024),
                    "0",
                    "Threads of the TCP data path; 0 takes one for each processor.");

    public static final ConfigKey<Boolean> BUSY_POLL =
            ConfigKey.of(
                    "storage.busy-poll",
                    ValueType.flag(),
                    "true",
                    "Whether threads of the TCP data path, unless they use io_uring, look for the next"
                            + " requests for up to 50 us before they sleep, as long as most come so"
                            + " soon; false sleeps at once.");

    public static final ConfigKey<Boolean> SHARED_MEMORY =
            ConfigKey.of(
                    "storage.shared-memory",
                    ValueType.flag(),
                    "true",
                    "Let clients of the same user on the same host map the segments.");

    public static final ConfigKey<Boolean> REMOVE_ON_EXIT =
            ConfigKey.of(
                    "storage.remove-on-exit",
                    ValueType.flag(),
                    "false",
                    "Remove segments and identity at an orderly end; else the next start has them.");

    public static final ConfigKey<Boolean> FORMAT =
            ConfigKey.of(
                    "storage.format",
                    ValueType.flag(),
                    "false",
                    "Discard what an earlier run left in the directory.");

    public static final ConfigKey<Boolean> MOVER =
            ConfigKey.of(
                    "storage.mover.enabled",
                    ValueType.flag(),
                    "true",
                    "Whether this server moves cold nodes to storage classes behind its own, and hot"
                            + " ones to those before it, when there are several.");

    public static final ConfigKey<ByteSize> MOVER_RATE =
            ConfigKey.of(
                    "storage.mover.rate",
                    ValueType.size("0", "1 TiB"),
                    "256 MiB",
                    "Most bytes that it moves in a second, unless 'crail admin tier --rate' has set"
                            + " another limit; 0 = no limit.");

    public static final ConfigKey<Boolean> STATUS =
            ConfigKey.of(
                    "storage.status.enabled",
                    ValueType.flag(),
                    "true",
                    "Show metrics and health over HTTP.");

    public static final ConfigKey<String> STATUS_HOST =
            ConfigKey.of(
                    "storage.status.bind.host",
                    ValueType.text(),
                    "127.0.0.1",
                    "Address to show the status on; on others than loopback who asks needs the"
                            + " token of 'crail secret status-token'.");

    public static final ConfigKey<Integer> STATUS_PORT =
            ConfigKey.of(
                    "storage.status.bind.port",
                    ValueType.integer(0, Endpoint.MAX_PORT),
                    "0",
                    "Port to show the status on; 0 takes any free one.");

    public static final ConfigKey<String> LOG_FORMAT =
            ConfigKey.of(
                    "storage.log.format",
                    ValueType.choice("text", "json"),
                    "text",
                    "Form of the log on standard error: lines for people, or a JSON object on each"
                            + " line.");

    static final List<ConfigKey<?>> ALL =
            List.of(
                    TIER,
                    DIRECTORY,
                    CAPACITY,
                    SEGMENT_SIZE,
                    HUGE_PAGES,
                    STORAGE_CLASS,
                    LOCATION,
                    BIND_HOST,
                    BIND_PORT,
                    ADVERTISE,
                    HOST_NAME,
                    TRANSPORT,
                    THREADS,
                    BUSY_POLL,
                    SHARED_MEMORY,
                    REMOVE_ON_EXIT,
                    FORMAT,
                    MOVER,
                    MOVER_RATE,
                    STATUS,
                    STATUS_HOST,
                    STATUS_PORT,
                    LOG_FORMAT);

    private StorageKeys() {}
}
