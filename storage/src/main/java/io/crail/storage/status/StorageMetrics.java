// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.status;

import static io.crail.status.Metric.counter;
import static io.crail.status.Metric.gauge;
import static io.crail.status.Metric.histogram;

import io.crail.status.Metric;
import java.util.List;

/** The metrics of a storage server. */
public final class StorageMetrics {
    static final Metric UPTIME =
            gauge("crail_storage_uptime_seconds", "Time since this process opened its tier.");
    static final Metric SERVER_ID =
            gauge("crail_storage_server_id", "The id that the namenode gave; once it has.");
    static final Metric REGISTERED =
            gauge("crail_storage_registered", "1 once a namenode has accepted this server.");
    static final Metric CAPACITY =
            gauge("crail_storage_capacity_bytes", "Bytes configured to be offered.", "tier");
    static final Metric CONNECTIONS =
            gauge("crail_storage_connections", "Open connections of clients.");
    static final Metric IN_FLIGHT =
            gauge("crail_storage_requests_in_flight", "Requests that hold a block now.");
    static final Metric REQUESTS =
            counter(
                    "crail_storage_requests_total",
                    "Requests for blocks, by type; those for memory, over sockets.",
                    "type");
    static final Metric DURATION =
            histogram(
                    "crail_storage_request_duration_seconds",
                    "From a request to its end (read: answer taken, write: stored), of every 16th.",
                    "type");
    static final Metric READ =
            counter(
                    "crail_storage_read_bytes_total",
                    "Bytes read by clients; those of memory, over sockets.");
    static final Metric WRITTEN =
            counter(
                    "crail_storage_written_bytes_total",
                    "Bytes written by clients; those of memory, over sockets.");
    static final Metric SHARED =
            counter(
                    "crail_storage_shared_memory_bytes_total",
                    "Of these, bytes that clients on this host moved through memory (flash).");
    static final Metric SESSIONS =
            gauge("crail_storage_sessions", "Sessions of this host that map the memory.");
    static final Metric PINS = gauge("crail_storage_pins", "Blocks that such sessions hold now.");
    static final Metric QUARANTINED =
            gauge(
                    "crail_storage_quarantined_blocks",
                    "Freed blocks that wait for a pin, or for the device.");
    static final Metric DAMAGED =
            counter(
                    "crail_storage_damaged_messages_total",
                    "Messages of clients that arrived with a wrong digest (NVMe over Fabrics).");

    /** All of them, in the order in which they are shown. */
    public static final List<Metric> ALL =
            List.of(
                    UPTIME,
                    SERVER_ID,
                    REGISTERED,
                    CAPACITY,
                    CONNECTIONS,
                    IN_FLIGHT,
                    REQUESTS,
                    DURATION,
                    READ,
                    WRITTEN,
                    SHARED,
                    SESSIONS,
                    PINS,
                    QUARANTINED,
                    DAMAGED);

    private StorageMetrics() {}
}
