// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import io.crail.cli.terminal.Json;
import io.crail.client.StorageServer;
import io.crail.error.ProtocolException;
import io.crail.protocol.message.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The report for programs; names of members are append-only. */
final class ReportJson {
    private ReportJson() {}

    static Object of(Statistics.Reply now, Map<Integer, StorageServer> known)
            throws ProtocolException {
        List<Object> classes = new ArrayList<>();
        for (Statistics.Capacity each : now.classes()) {
            classes.add(
                    Json.object(
                            "storageClass", each.storageClass(),
                            "capacity", each.capacity(),
                            "free", each.free(),
                            "granted", each.granted(),
                            "committed", each.committed(),
                            "revoking", each.revoking(),
                            "quarantined", each.quarantined(),
                            "lost", each.lost()));
        }
        List<Object> servers = new ArrayList<>();
        for (Statistics.ServerCapacity each : now.servers()) {
            servers.add(json(each, known.get(each.id())));
        }
        Map<String, @Nullable Object> report =
                Json.object(
                        "cluster", now.cluster().toString(),
                        "software", now.software(),
                        "epoch", now.epoch(),
                        "uptimeMillis", now.uptimeMillis(),
                        "nowMillis", now.nowMillis(),
                        "readOnly", now.readOnly(),
                        "statusUrl", now.statusUrl(),
                        "directories", now.directories(),
                        "files", now.files(),
                        "tables", now.tables(),
                        "keyValues", now.keyValues(),
                        "inlineBytes", now.inlineBytes(),
                        "inlineLimit", now.inlineLimit());
        report.put("sessions", now.sessions());
        report.put("handles", now.handles());
        report.put("logPosition", now.logPosition());
        report.put("snapshotPosition", now.snapshotPosition());
        report.put("snapshotLag", now.logPosition() - now.snapshotPosition());
        report.put("logBytes", now.logBytes());
        report.put("classes", classes);
        report.put("servers", servers);
        return report;
    }

    private static Object json(Statistics.ServerCapacity each, @Nullable StorageServer server)
            throws ProtocolException {
        return Json.object(
                "id", each.id(),
                "state", ReportCommand.state(each),
                "host", each.host(),
                "tier", server == null ? null : server.tier(),
                "storageClass", each.storageClass(),
                "locationClass", server == null ? null : server.locationClass(),
                "endpoints", server == null ? List.of() : server.endpoints(),
                "statusUrl", each.statusUrl(),
                "software", each.software(),
                "capacity", each.capacity(),
                "free", each.free(),
                "granted", each.granted(),
                "committed", each.committed(),
                "revoking", each.revoking(),
                "quarantined", each.quarantined(),
                "lost", each.lost(),
                "lostBlocks", each.lostBlocks(),
                "silentMillis", each.silentMillis());
    }
}
