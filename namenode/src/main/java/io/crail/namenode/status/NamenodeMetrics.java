// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.status;

import static io.crail.status.Metric.counter;
import static io.crail.status.Metric.gauge;
import static io.crail.status.Metric.histogram;

import io.crail.status.Metric;
import java.util.List;

/** The metrics of a namenode. */
public final class NamenodeMetrics {
    static final Metric UPTIME =
            gauge("crail_namenode_uptime_seconds", "Time since this process recovered the state.");
    static final Metric EPOCH =
            gauge("crail_namenode_epoch", "Number of this life; one higher after each start.");
    static final Metric READ_ONLY =
            gauge("crail_namenode_read_only", "1 if the log has failed and changes are refused.");
    static final Metric REQUESTS =
            counter("crail_namenode_requests_total", "Requests that began, by type.", "type");
    static final Metric ERRORS =
            counter(
                    "crail_namenode_request_errors_total",
                    "Requests answered with an error, by its code.",
                    "code");
    static final Metric DURATION =
            histogram(
                    "crail_namenode_request_duration_seconds",
                    "Time in the engine, without network and log, of every 16th request of a type.",
                    "type");
    static final Metric CONNECTIONS =
            gauge("crail_namenode_connections", "Open connections of clients and storage servers.");
    static final Metric ACCEPTED =
            counter("crail_namenode_accepted_connections_total", "Connections that were accepted.");
    static final Metric RECEIVED =
            counter("crail_namenode_received_bytes_total", "Bytes of requests, with their frames.");
    static final Metric SENT =
            counter("crail_namenode_sent_bytes_total", "Bytes of answers, with their frames.");
    static final Metric SESSIONS = gauge("crail_namenode_sessions", "Open sessions of clients.");
    static final Metric NODES =
            gauge("crail_namenode_nodes", "Nodes in the name space, by type.", "type");
    static final Metric SERVERS =
            gauge("crail_namenode_storage_servers", "Storage servers, by state.", "state");
    static final Metric BLOCKS =
            gauge(
                    "crail_namenode_block_bytes",
                    "Bytes in blocks, by tier and class of their server and state of the block.",
                    "tier",
                    "class",
                    "state");
    static final Metric INLINE =
            gauge("crail_namenode_inline_bytes", "Memory that inline values use.");
    static final Metric INLINE_LIMIT =
            gauge("crail_namenode_inline_limit_bytes", "Memory that inline values may use.");
    static final Metric LOG_RECORDS =
            counter("crail_namenode_log_records_total", "Sequence number of the last log record.");
    static final Metric LOG_BYTES =
            gauge("crail_namenode_log_bytes", "Size of the log since it was last cut.");
    static final Metric LOG_LAG =
            gauge(
                    "crail_namenode_log_lag_records",
                    "Records that the newest snapshot lacks; with durability sync also those that"
                            + " are not on disk yet.",
                    "behind");

    static final Metric TIER_TO_DEMOTE =
            gauge(
                    "crail_namenode_tier_to_demote_bytes",
                    "Bytes to be moved out of a storage class that is too full, by class.",
                    "class");
    static final Metric TIER_DEMOTED =
            counter(
                    "crail_namenode_tier_demoted_bytes_total",
                    "Bytes moved from a storage class to one behind it, by the class they left.",
                    "class");
    static final Metric TIER_PROMOTED =
            counter(
                    "crail_namenode_tier_promoted_bytes_total",
                    "Bytes moved from a storage class to one before it, by the class they left.",
                    "class");
    static final Metric TIER_MOVERS =
            gauge("crail_namenode_tier_movers", "Movers that work between storage classes.");
    static final Metric TIER_PAUSED =
            gauge("crail_namenode_tier_paused", "1 if nothing moves between storage classes.");

    /** All of them, in the order in which they are shown. */
    public static final List<Metric> ALL =
            List.of(
                    UPTIME,
                    EPOCH,
                    READ_ONLY,
                    REQUESTS,
                    ERRORS,
                    DURATION,
                    CONNECTIONS,
                    ACCEPTED,
                    RECEIVED,
                    SENT,
                    SESSIONS,
                    NODES,
                    SERVERS,
                    BLOCKS,
                    INLINE,
                    INLINE_LIMIT,
                    LOG_RECORDS,
                    LOG_BYTES,
                    LOG_LAG,
                    TIER_TO_DEMOTE,
                    TIER_DEMOTED,
                    TIER_PROMOTED,
                    TIER_MOVERS,
                    TIER_PAUSED);

    private NamenodeMetrics() {}
}
