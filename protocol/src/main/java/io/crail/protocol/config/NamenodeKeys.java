// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Keys of the namenode. */
public final class NamenodeKeys {
    public static final ConfigKey<Path> METADATA_DIRECTORY =
            ConfigKey.of(
                    "namenode.metadata.dir",
                    ValueType.path(),
                    "/var/lib/crail/namenode",
                    "Directory of log and snapshots; locked while the namenode runs.");

    public static final ConfigKey<String> BIND_HOST =
            ConfigKey.of(
                    "namenode.bind.host",
                    ValueType.text(),
                    "127.0.0.1",
                    "Address to listen on; 0.0.0.0 for all.");

    public static final ConfigKey<Integer> BIND_PORT =
            ConfigKey.of(
                    "namenode.bind.port",
                    ValueType.integer(0, Endpoint.MAX_PORT),
                    "9060",
                    "Port to listen on; 0 takes any free one.");

    public static final ConfigKey<String> DURABILITY =
            ConfigKey.of(
                    "namenode.durability",
                    ValueType.choice("none", "process", "sync"),
                    "process",
                    "What acknowledged changes survive: nothing, a crash of the process, of the host.");

    public static final ConfigKey<ByteSize> INLINE_LIMIT =
            ConfigKey.of(
                    "namenode.inline.limit",
                    ValueType.size("0", "64 KiB"),
                    "1 KiB",
                    "Largest value that is kept in the namenode's memory instead of in blocks.");

    public static final ConfigKey<ByteSize> INLINE_MEMORY =
            ConfigKey.of(
                    "namenode.inline.memory",
                    ValueType.size("0", "1 TiB"),
                    "0",
                    "Memory, outside of the heap, that all inline values together may use; 0 takes"
                            + " half of the heap's limit.");

    public static final ConfigKey<Integer> MAX_NODES =
            ConfigKey.of(
                    "namenode.nodes.max",
                    ValueType.integer(0, Integer.MAX_VALUE),
                    "0",
                    "Most nodes that the name space may have; 0 takes what fits the heap.");

    public static final ConfigKey<Duration> SESSION_TIMEOUT =
            ConfigKey.of(
                    "namenode.session.timeout",
                    ValueType.duration("1 s", "1 d"),
                    "60 s",
                    "A session whose client is silent for so long ends.");

    public static final ConfigKey<Duration> LEASE_TIME =
            ConfigKey.of(
                    "namenode.lease.time",
                    ValueType.duration("100 ms", "1 d"),
                    "15 s",
                    "A writer that is silent for so long may lose its file to another.");

    public static final ConfigKey<Duration> DEAD_SERVER_TIME =
            ConfigKey.of(
                    "namenode.dead-server.time",
                    ValueType.duration("100 ms", "1 d"),
                    "30 s",
                    "A storage server that is silent for so long counts as dead.");

    public static final ConfigKey<Duration> SERVER_RETURN_TIME =
            ConfigKey.of(
                    "namenode.server-return.time",
                    ValueType.duration("0 s", "1 d"),
                    "3 s",
                    "A storage server whose connection has ended counts as dead if it is not back"
                            + " within so long; until then reads of its blocks wait for it.");

    public static final ConfigKey<Duration> HEARTBEAT =
            ConfigKey.of(
                    "namenode.heartbeat",
                    ValueType.duration("10 ms", "1 h"),
                    "1 s",
                    "How often storage servers report.");

    public static final ConfigKey<ByteSize> SNAPSHOT_LOG_SIZE =
            ConfigKey.of(
                    "namenode.snapshot.log-size",
                    ValueType.size("64 KiB", "1 TiB"),
                    "256 MiB",
                    "Size of the log at which a snapshot is taken, which shortens it.");

    public static final ConfigKey<Duration> UNLINKED_RETENTION =
            ConfigKey.of(
                    "namenode.unlinked.retention",
                    ValueType.duration("0 s", "365 d"),
                    "10 min",
                    "Longest time that a removed file stays readable for those who have it open.");

    public static final ConfigKey<String> PLACEMENT =
            ConfigKey.of(
                    "namenode.placement",
                    ValueType.choice("round-robin", "random", "local-first"),
                    "round-robin",
                    "How the storage server of a new block is chosen.");

    public static final ConfigKey<String> PERMISSIONS =
            ConfigKey.of(
                    "namenode.permissions",
                    ValueType.choice("off", "enforce"),
                    "off",
                    "Whether mode bits and owners decide who may do what; the namenode's own user is"
                            + " the superuser.");

    public static final ConfigKey<Integer> TIER_HIGH =
            ConfigKey.of(
                    "namenode.tier.high-water",
                    ValueType.integer(1, 100),
                    "85",
                    "Use of a storage class, in percent, from which on cold nodes are moved to the"
                            + " classes behind it.");

    public static final ConfigKey<Integer> TIER_LOW =
            ConfigKey.of(
                    "namenode.tier.low-water",
                    ValueType.integer(0, 99),
                    "75",
                    "Use of a storage class, in percent, down to which that goes on, and up to which"
                            + " hot nodes are moved into it; below namenode.tier.high-water.");

    public static final ConfigKey<Duration> TIER_IDLE =
            ConfigKey.of(
                    "namenode.tier.idle-time",
                    ValueType.duration("0 s", "365 d"),
                    "60 s",
                    "A node that was used less than so long ago is not cold.");

    public static final ConfigKey<Integer> TIER_PROMOTE_READS =
            ConfigKey.of(
                    "namenode.tier.promote-reads",
                    ValueType.integer(1, 60),
                    "3",
                    "So many reads, none more than 10 min after the one before, make a node hot.");

    public static final ConfigKey<Boolean> CUT_LOG =
            ConfigKey.of(
                    "namenode.log.cut-at-corruption",
                    ValueType.flag(),
                    "false",
                    "Start despite a corrupt log record, losing it and all that follow it.");

    public static final ConfigKey<Boolean> UNIX_SOCKET =
            ConfigKey.of(
                    "namenode.unix-socket",
                    ValueType.flag(),
                    "true",
                    "Let clients of the same user on the same host connect over a Unix socket.");

    public static final ConfigKey<Boolean> BUSY_POLL =
            ConfigKey.of(
                    "namenode.busy-poll",
                    ValueType.flag(),
                    "true",
                    "Whether the namenode looks for the next requests for up to 50 us before it sleeps,"
                            + " as long as most come so soon; false sleeps at once.");

    public static final ConfigKey<Boolean> STATUS =
            ConfigKey.of(
                    "namenode.status.enabled",
                    ValueType.flag(),
                    "true",
                    "Show metrics and health over HTTP.");

    public static final ConfigKey<String> STATUS_HOST =
            ConfigKey.of(
                    "namenode.status.bind.host",
                    ValueType.text(),
                    "127.0.0.1",
                    "Address to show the status on; on others than loopback who asks needs the"
                            + " token of 'crail secret status-token'.");

    public static final ConfigKey<Integer> STATUS_PORT =
            ConfigKey.of(
                    "namenode.status.bind.port",
                    ValueType.integer(0, Endpoint.MAX_PORT),
                    "0",
                    "Port to show the status on; 0 takes any free one.");

    public static final ConfigKey<String> LOG_FORMAT =
            ConfigKey.of(
                    "namenode.log.format",
                    ValueType.choice("text", "json"),
                    "text",
                    "Form of the log on standard error: lines for people, or a JSON object on each"
                            + " line.");

    static final List<ConfigKey<?>> ALL =
            List.of(
                    METADATA_DIRECTORY,
                    BIND_HOST,
                    BIND_PORT,
                    DURABILITY,
                    INLINE_LIMIT,
                    INLINE_MEMORY,
                    MAX_NODES,
                    SESSION_TIMEOUT,
                    LEASE_TIME,
                    DEAD_SERVER_TIME,
                    SERVER_RETURN_TIME,
                    HEARTBEAT,
                    SNAPSHOT_LOG_SIZE,
                    UNLINKED_RETENTION,
                    PLACEMENT,
                    PERMISSIONS,
                    TIER_HIGH,
                    TIER_LOW,
                    TIER_IDLE,
                    TIER_PROMOTE_READS,
                    CUT_LOG,
                    UNIX_SOCKET,
                    BUSY_POLL,
                    STATUS,
                    STATUS_HOST,
                    STATUS_PORT,
                    LOG_FORMAT);

    private NamenodeKeys() {}
}
