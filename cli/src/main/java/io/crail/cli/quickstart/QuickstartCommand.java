// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import java.io.IOException;
import picocli.CommandLine;

@CommandLine.Command(name = "quickstart")
public final class QuickstartCommand extends Command {
    public QuickstartCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {}
}
