// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.server;

import io.crail.cli.command.Invocation;
import io.crail.protocol.config.NamenodeKeys;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Runs a namenode. */
@CommandLine.Command(
        name = "namenode",
        description = "Runs a namenode in the foreground.",
        footer = {
            "",
            "When it serves it prints 'crail namenode ready on HOST:PORT'. Examples:",
            "  crail namenode --dir /var/lib/crail/namenode --host 0.0.0.0",
            "  crail namenode --dir /tmp/meta --port 0 -D namenode.durability=none"
        })
public final class NamenodeCommand extends ServerCommand {
    @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on.")
    private @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen on; 0 takes any free one.")
    private @Nullable String port;

    @Option(names = "--dir", paramLabel = "DIR", description = "Directory of the metadata.")
    private @Nullable Path directory;

    @Option(
            names = "--durability",
            paramLabel = "LEVEL",
            description = "none, process or sync: what changes survive.")
    private @Nullable String durability;

    @Option(
            names = "--cut-log-at-corruption",
            description =
                    "Accepts the loss of everything behind a corruption of the log, once. Without"
                            + " it a namenode with a corrupt log does not start.")
    private boolean cutLogAtCorruption;

    public NamenodeCommand(Invocation invocation) {
        super(invocation, "namenode", NamenodeKeys.LOG_FORMAT);
    }

    @Override
    void apply() {
        set(NamenodeKeys.BIND_HOST, host, "--host");
        set(NamenodeKeys.BIND_PORT, port, "--port");
        set(NamenodeKeys.METADATA_DIRECTORY, directory, "--dir");
        set(NamenodeKeys.DURABILITY, durability, "--durability");
        set(NamenodeKeys.CUT_LOG, cutLogAtCorruption ? "true" : null, "--cut-log-at-corruption");
    }
}
