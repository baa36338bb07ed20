// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailClient;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "truncate",
        description = {
            "Cuts files; a shorter file is an error. Who has one open keeps it as it was, and the",
            "memory behind the new end is given back when nobody reads it any more."
        },
        footer = {"", "Example:", "  crail fs truncate -s 1MiB /data/log"})
final class TruncateCommand extends Command {
    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            required = true,
            description = "New length, such as 4096 or 1MiB.")
    private String size = "";

    @Mixin private final PathPatterns patterns = new PathPatterns();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "What to cut.")
    private List<String> paths = new ArrayList<>();

    TruncateCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        long length = length();
        CrailClient client = invocation.client();
        patterns.each(invocation, "truncate", paths, path -> client.truncate(path, length));
    }

    private long length() throws InvalidArgumentException {
        try {
            return ByteSize.parse(size).bytes();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("-s " + size + ": " + e.getMessage(), e);
        }
    }
}
