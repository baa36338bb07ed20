// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.time.Duration;
import java.util.List;

/** Keys of clients; storage servers, too, find the namenode by the first one. */
public final class ClientKeys {
    public static final ConfigKey<List<Endpoint>> NAMENODES =
            ConfigKey.of(
                    "client.namenodes",
                    ValueType.endpoints(),
                    "127.0.0.1:9060",
                    "Namenodes that clients and storage servers connect to, tried in turn.");

    public static final ConfigKey<Duration> DEADLINE =
            ConfigKey.of(
                    "client.deadline",
                    ValueType.duration("1 ms", "1 d"),
                    "30 s",
                    "Longest time that an operation may take if its caller states none.");

    public static final ConfigKey<Duration> CONNECT_TIMEOUT =
            ConfigKey.of(
                    "client.connect.timeout",
                    ValueType.duration("1 ms", "10 min"),
                    "5 s",
                    "Longest time that opening one connection may take.");

    public static final ConfigKey<Duration> SESSION_TIMEOUT =
            ConfigKey.of(
                    "client.session.timeout",
                    ValueType.duration("0 s", "1 d"),
                    "0 s",
                    "Session timeout to ask the namenode for; 0 takes the namenode's own.");

    public static final ConfigKey<String> TRANSPORT =
            ConfigKey.of(
                    "client.rpc.transport",
                    ValueType.text(),
                    "tcp",
                    "Transport of calls to the namenode, by the name of its provider.");

    public static final ConfigKey<String> USER =
            ConfigKey.of(
                    "client.user",
                    ValueType.text(),
                    "",
                    "Acting user; empty takes the user of the process.");

    public static final ConfigKey<String> GROUP =
            ConfigKey.of(
                    "client.group",
                    ValueType.text(),
                    "",
                    "Group of the acting user; empty takes the user's name.");

    public static final ConfigKey<String> LOCATION =
            ConfigKey.of(
                    "client.location",
                    ValueType.text(),
                    "",
                    "Location class of the client (host or rack), where its blocks are preferred.");

    public static final ConfigKey<ByteSize> BUFFER_POOL =
            ConfigKey.of(
                    "client.buffer-pool",
                    ValueType.size("2 MiB", "64 GiB"),
                    "32 MiB",
                    "Direct memory that the buffer pool may hold.");

    public static final ConfigKey<Integer> READ_AHEAD =
            ConfigKey.of(
                    "client.read-ahead.blocks",
                    ValueType.integer(0, 64),
                    "8",
                    "Blocks that a sequential reader fetches ahead.");

    public static final ConfigKey<Integer> WRITE_DEPTH =
            ConfigKey.of(
                    "client.write.depth",
                    ValueType.integer(1, 64),
                    "16",
                    "Blocks that a writer has under way at a time.");

    public static final ConfigKey<Integer> CONNECTIONS =
            ConfigKey.of(
                    "client.connections-per-server",
                    ValueType.integer(1, 64),
                    "1",
                    "Connections to each storage server.");

    public static final ConfigKey<Boolean> CHECKSUMS =
            ConfigKey.of(
                    "client.checksums",
                    ValueType.flag(),
                    "true",
                    "Whether new files and values keep checksums.");

    public static final ConfigKey<Boolean> SHARED_MEMORY =
            ConfigKey.of(
                    "client.shared-memory",
                    ValueType.flag(),
                    "true",
                    "Whether blocks of storage servers on this host are read and written in shared"
                            + " memory, where that is possible; false uses the network for all.");

    public static final ConfigKey<Boolean> UNIX_SOCKET =
            ConfigKey.of(
                    "client.unix-socket",
                    ValueType.flag(),
                    "true",
                    "Whether calls to a namenode on this host go over its Unix socket, where that"
                            + " is possible; false uses the network.");

    public static final ConfigKey<Boolean> BUSY_POLL =
            ConfigKey.of(
                    "client.busy-poll",
                    ValueType.flag(),
                    "true",
                    "Whether a thread that waits for an answer looks for it for up to 50 us before it"
                            + " sleeps, as long as most answers come so soon; false sleeps at once.");

    public static final ConfigKey<Integer> VIEW_BLOCKS =
            ConfigKey.of(
                    "client.views.blocks",
                    ValueType.integer(1, 768),
                    "256",
                    "Blocks that open views may hold at a time.");

    public static final ConfigKey<Boolean> POISON_VIEWS =
            ConfigKey.of(
                    "client.views.poison",
                    ValueType.flag(),
                    "false",
                    "For tests: views are copies, and are overwritten when they are closed, so that"
                            + " use after close shows.");

    public static final ConfigKey<Integer> NVMF_QUEUE_ENTRIES =
            ConfigKey.of(
                    "client.nvmf.queue-entries",
                    ValueType.integer(2, 1024),
                    "128",
                    "Entries of an I/O queue to ask NVMe over Fabrics targets for: one more than"
                            + " commands under way at a time; they may grant fewer.");

    public static final ConfigKey<String> NVMF_DIGESTS =
            ConfigKey.of(
                    "client.nvmf.digests",
                    ValueType.choice("off", "header", "data", "both"),
                    "off",
                    "Checksums on the connections to NVMe over Fabrics targets, besides those of"
                            + " blocks: what arrives damaged is then repeated unseen.");

    static final List<ConfigKey<?>> ALL =
            List.of(
                    NAMENODES,
                    DEADLINE,
                    CONNECT_TIMEOUT,
                    SESSION_TIMEOUT,
                    TRANSPORT,
                    USER,
                    GROUP,
                    LOCATION,
                    BUFFER_POOL,
                    READ_AHEAD,
                    WRITE_DEPTH,
                    CONNECTIONS,
                    CHECKSUMS,
                    SHARED_MEMORY,
                    UNIX_SOCKET,
                    BUSY_POLL,
                    VIEW_BLOCKS,
                    POISON_VIEWS,
                    NVMF_QUEUE_ENTRIES,
                    NVMF_DIGESTS);

    private ClientKeys() {}
}
