// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.command.GlobalOptions;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The root of the command tree. */
@CommandLine.Command(
        name = "crail",
        synopsisSubcommandLabel = "COMMAND",
        description = "A fast, distributed, ephemeral data store.",
        versionProvider = VersionCommand.Text.class,
        footer = {
            "",
            "Examples:",
            "  crail quickstart                     tries everything out on this machine",
            "  crail cluster start                  starts a cluster of local processes",
            "  crail fs put -r results /data        copies a directory into it",
            "  crail fs ls -l -h /data",
            "",
            "'crail COMMAND --help' tells more. Exit codes: 0 success, 1 failure, 2 usage,",
            "3 not found, 4 exists or condition not met, 5 no space, 6 access denied,",
            "7 time over or server out of reach, 8 corrupt data."
        })
final class CrailCommand extends GlobalOptions {
    @Option(
            names = "--version",
            versionHelp = true,
            order = 108,
            description = "Shows the version, as 'crail version' does.")
    @SuppressWarnings("UnusedVariable") // picocli reads it by versionHelp
    private boolean version;
}
