// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import io.crail.cli.terminal.Json;
import io.crail.protocol.message.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** An activity as one JSON object; names of members are append-only. */
final class TopJson {
    private TopJson() {}

    static Map<String, @Nullable Object> of(Activity activity) {
        Map<String, @Nullable Object> all =
                Json.object("seconds", activity.seconds(), "error", activity.now().failure());
        activity.now()
                .statistics()
                .ifPresent(
                        now -> {
                            all.put("cluster", now.cluster().toString());
                            all.put("epoch", now.epoch());
                            all.put("uptimeMillis", now.uptimeMillis());
                            all.put("readOnly", now.readOnly());
                            all.put("sessions", now.sessions());
                            all.put("handles", now.handles());
                            all.put("logPosition", now.logPosition());
                            all.put("snapshotLag", now.logPosition() - now.snapshotPosition());
                            all.put("inlineBytes", now.inlineBytes());
                        });
        all.put("connections", number(activity.connections()));
        all.put("receivedBytesPerSecond", number(activity.received()));
        all.put("sentBytesPerSecond", number(activity.sent()));
        all.put("requestsError", activity.now().namenode().failure());
        List<Object> calls = new ArrayList<>();
        for (Activity.Calls each : activity.calls()) {
            calls.add(
                    Json.object(
                            "type", each.type(),
                            "perSecond", each.perSecond(),
                            "p50Seconds", number(each.p50()),
                            "p99Seconds", number(each.p99())));
        }
        all.put("requests", calls);
        List<Object> servers = new ArrayList<>();
        activity.servers().forEach(server -> servers.add(server(server)));
        all.put("servers", servers);
        return all;
    }

    private static Object server(Activity.Server server) {
        Statistics.ServerCapacity known = server.known();
        return Json.object(
                "id", known.id(),
                "host", known.host(),
                "state", Screen.nameOf(known),
                "error", server.failure(),
                "inBytesPerSecond", number(server.in()),
                "outBytesPerSecond", number(server.out()),
                "requestsPerSecond", number(server.requests()),
                "capacity", known.capacity(),
                "free", known.free(),
                "granted", known.granted(),
                "committed", known.committed(),
                "revoking", known.revoking(),
                "quarantined", known.quarantined(),
                "lost", known.lost(),
                "pins", number(server.pins()));
    }

    private static @Nullable Double number(OptionalDouble value) {
        return value.isEmpty() ? null : Double.valueOf(value.getAsDouble());
    }
}
