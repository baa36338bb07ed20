// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.DurationText;
import io.crail.protocol.message.TierStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How the state of the storage classes is shown. */
final class TierReport {
    private final Invocation invocation;

    TierReport(Invocation invocation) {
        this.invocation = invocation;
    }

    void print(TierStatus.Reply now) throws IOException {
        if (invocation.json()) {
            invocation.printJson(json(now));
            return;
        }
        settings(now).print(invocation.out());
        invocation.out().println();
        classes(now).print(invocation.out());
        invocation.out().println();
        if (now.movers().isEmpty()) {
            invocation.out().println("no mover is at work");
        } else {
            movers(now).print(invocation.out());
        }
    }

    private static Table settings(TierStatus.Reply now) {
        return Table.untitled("", "")
                .row("state", now.paused() ? "paused" : "moving by itself")
                .row("marks", "from " + now.highPercent() + " % down to " + now.lowPercent() + " %")
                .row(
                        "rate",
                        now.bytesPerSecond() == 0
                                ? "as each mover is configured"
                                : size(now.bytesPerSecond()) + " per second and mover");
    }

    private static Table classes(TierStatus.Reply now) {
        Table table =
                Table.titled(
                        "CLASS>",
                        "CAPACITY>",
                        "USED>",
                        "USE>",
                        "TO MOVE>",
                        "DEMOTED>",
                        "PROMOTED>");
        for (TierStatus.ClassUse each : now.classes()) {
            table.row(
                    Integer.toString(each.storageClass()),
                    size(each.capacity()),
                    size(each.used()),
                    each.capacity() == 0 ? "-" : 100 * each.used() / each.capacity() + " %",
                    size(each.toDemote()),
                    size(each.demoted()),
                    size(each.promoted()));
        }
        return table;
    }

    private static Table movers(TierStatus.Reply now) {
        Table table = Table.titled("SERVER>", "MOVER", "MOVING>", "ASKED AGO>");
        for (TierStatus.Mover each : now.movers()) {
            table.row(
                    Integer.toString(each.server()),
                    each.name(),
                    size(each.planned()),
                    DurationText.format(Duration.ofMillis(each.silentMillis())));
        }
        return table;
    }

    private static Object json(TierStatus.Reply now) {
        List<Object> classes = new ArrayList<>();
        for (TierStatus.ClassUse each : now.classes()) {
            classes.add(
                    Json.object(
                            "storageClass", each.storageClass(),
                            "capacity", each.capacity(),
                            "used", each.used(),
                            "toDemote", each.toDemote(),
                            "demoted", each.demoted(),
                            "promoted", each.promoted()));
        }
        List<Object> movers = new ArrayList<>();
        for (TierStatus.Mover each : now.movers()) {
            movers.add(
                    Json.object(
                            "server", each.server(),
                            "session", each.session(),
                            "name", each.name(),
                            "planned", each.planned(),
                            "silentMillis", each.silentMillis()));
        }
        return Json.object(
                "paused", now.paused(),
                "highPercent", now.highPercent(),
                "lowPercent", now.lowPercent(),
                "bytesPerSecond", now.bytesPerSecond(),
                "classes", classes,
                "movers", movers);
    }

    private static String size(long bytes) {
        return new ByteSize(bytes).rounded();
    }
}
