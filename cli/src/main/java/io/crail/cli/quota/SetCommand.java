// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quota;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.Quota;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "set",
        description = "Sets limits; those that are not named stay.",
        footer = {
            "",
            "Blocks count with their whole size. Inline values count as nodes. Examples:",
            "  crail fs quota set --nodes 1000000 /team",
            "  crail fs quota set --bytes 2TiB --class 0=500GiB /team"
        })
final class SetCommand extends Command {
    private static final int CLASSES = 256;

    @Option(names = "--nodes", paramLabel = "N", description = "At most so many nodes below it.")
    private @Nullable Long nodes;

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            description = "At most so many bytes of blocks, in all storage classes together.")
    private @Nullable String bytes;

    @Option(
            names = "--class",
            paramLabel = "CLASS=SIZE",
            description = "At most so many bytes in a storage class; may be repeated.")
    private Map<Integer, String> classes = new LinkedHashMap<>();

    @Parameters(paramLabel = "PATH", arity = "1", description = "A directory or table.")
    private String path = "";

    SetCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        changed(Quota.NONE); // Errors of arguments come before those of the connection.
        invocation.client().setQuota(path, changed(invocation.client().quota(path)));
    }

    private Quota changed(Quota before) throws InvalidArgumentException {
        if (nodes == null && bytes == null && classes.isEmpty()) {
            throw new InvalidArgumentException("name a limit: --nodes, --bytes or --class");
        }
        Quota quota = before;
        if (nodes != null) {
            if (nodes < 0) {
                throw new InvalidArgumentException("--nodes is " + nodes + ", which is negative");
            }
            quota = quota.nodes(nodes);
        }
        if (bytes != null) {
            quota = quota.bytes(size("--bytes", bytes));
        }
        for (Map.Entry<Integer, String> each : classes.entrySet()) {
            if (each.getKey() < 0 || each.getKey() >= CLASSES) {
                throw new InvalidArgumentException(
                        "--class: storage class " + each.getKey() + " is outside 0..255");
            }
            quota = quota.bytes(each.getKey(), size("--class", each.getValue()));
        }
        return quota;
    }

    private static long size(String option, String text) throws InvalidArgumentException {
        try {
            return ByteSize.parse(text).bytes();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(option + ": " + e.getMessage(), e);
        }
    }
}
