// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.xattr;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.XattrOption;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "set",
        description = "Sets an extended attribute.",
        footer = {
            "",
            "Examples:",
            "  crail fs xattr set /data/part-1 user.source kafka",
            "  crail fs xattr set --create --base64 /data/part-1 user.key AAEC"
        })
final class SetCommand extends Command {
    @Option(names = "--create", description = "Only if there is none of this name.")
    private boolean create;

    @Option(names = "--replace", description = "Only if there is one of this name.")
    private boolean replace;

    @Option(names = "--base64", description = "The value is Base64.")
    private boolean base64;

    @Parameters(index = "0", paramLabel = "PATH", description = "A file, directory or table.")
    private String path = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "user. or trusted. and more.")
    private String name = "";

    @Parameters(index = "2", paramLabel = "VALUE", description = "The value.")
    private String value = "";

    SetCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        if (create && replace) {
            throw new InvalidArgumentException("--create and --replace exclude each other");
        }
        XattrOption[] options =
                create
                        ? new XattrOption[] {XattrOption.CREATE}
                        : replace ? new XattrOption[] {XattrOption.REPLACE} : new XattrOption[0];
        byte[] bytes = bytes();
        invocation.client().setXattr(path, name, bytes, options);
    }

    private byte[] bytes() throws InvalidArgumentException {
        if (!base64) {
            return value.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("'" + value + "' is not Base64", e);
        }
    }
}
