// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quota;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Table;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.Summary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "show",
        description = "Shows limits and use.",
        footer = {
            "",
            "Examples:",
            "  crail fs quota show -h /team",
            "  crail fs quota show --json /"
        })
final class ShowCommand extends Command {
    @Option(names = "-h", description = "Shows sizes with units.")
    private boolean human;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Directories or tables.")
    private List<String> paths = new ArrayList<>();

    private final Table table = Table.titled("WHAT", "USED>", "LIMIT>", "PATH");
    private final List<Object> results = new ArrayList<>();

    ShowCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.client();
        for (String path : paths) {
            invocation.attempt("quota show " + path, () -> add(path));
        }
        if (invocation.json()) {
            invocation.printJson(results);
        } else if (!table.isEmpty()) {
            table.print(invocation.out());
        }
    }

    private void add(String path) throws IOException {
        Summary.Reply summary = invocation.client().summary(path);
        long nodes = summary.nodes() - 1;
        List<Object> classes = new ArrayList<>();
        table.row("nodes", Long.toString(nodes), number(summary.nodeLimit()), path);
        for (Summary.ClassUse use : summary.classes()) {
            boolean all = use.storageClass() == SetQuota.ALL_CLASSES;
            classes.add(
                    Json.object(
                            "storageClass", all ? "all" : use.storageClass(),
                            "allocated", use.allocated(),
                            "limit", use.limit() < 0 ? null : use.limit()));
            table.row(
                    all ? "bytes" : "bytes of class " + use.storageClass(),
                    size(use.allocated()),
                    size(use.limit()),
                    path);
        }
        results.add(
                Json.object(
                        "path", path,
                        "nodes", nodes,
                        "nodeLimit", summary.nodeLimit() < 0 ? null : summary.nodeLimit(),
                        "classes", classes));
    }

    private static String number(long limit) {
        return limit < 0 ? "none" : Long.toString(limit);
    }

    private String size(long bytes) {
        return bytes >= 0 && human ? new ByteSize(bytes).rounded() : number(bytes);
    }
}
