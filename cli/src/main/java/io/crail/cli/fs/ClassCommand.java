// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.client.AttributeChange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "class",
        description = {
            "Sets the storage class: the best one that may be used.",
            "Of a directory or table, what is made below from now on has it, too. What is there already"
                    + " keeps its own, and stays where it is until it is moved (crail admin tier)."
        },
        footer = {
            "",
            "Examples:",
            "  crail fs class 1 /archive",
            "  crail admin tier --now /archive --to 1"
        })
final class ClassCommand extends Command {
    @Parameters(index = "0", paramLabel = "CLASS", description = "Storage class, 0..255.")
    private int storageClass;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "PATH",
            description = "What to change.")
    private List<String> paths = new ArrayList<>();

    ClassCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        AttributeChange change =
                AttributeChange.NONE.storageClass(StorageClassOption.check(storageClass));
        invocation.client();
        for (String path : paths) {
            invocation.attempt(
                    "class " + path, () -> invocation.client().setAttributes(path, change));
        }
    }
}
