// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.DurationText;
import io.crail.protocol.config.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options of the root that every command accepts, in front of its name or behind it. */
public abstract class GlobalOptions {
    @Option(
            names = "--namenode",
            scope = ScopeType.INHERIT,
            paramLabel = "HOST:PORT[,...]",
            order = 101,
            description =
                    "Namenodes, tried in turn. Default: $CRAIL_NAMENODE, the configuration, the local"
                            + " cluster that runs.")
    @Nullable String namenode;

    @Option(
            names = "--config",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            order = 102,
            description = "Configuration file. Default: $CRAIL_CONF, else conf/crail.conf.")
    @Nullable Path config;

    @Option(
            names = {"-D", "--set"},
            scope = ScopeType.INHERIT,
            paramLabel = "KEY=VALUE",
            order = 103,
            description = "Sets a key of the configuration; may be repeated.")
    List<String> assignments = new ArrayList<>();

    @Option(
            names = "--timeout",
            scope = ScopeType.INHERIT,
            paramLabel = "TIME",
            order = 104,
            description = "Longest time for each operation, such as 500ms or 2min.")
    @Nullable String timeout;

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            order = 105,
            description = "Prints results as JSON.")
    boolean json;

    @Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            order = 106,
            description = "Shows logs and the stack of errors.")
    boolean verbose;

    @Option(
            names = "--help",
            scope = ScopeType.INHERIT,
            usageHelp = true,
            order = 107,
            description = "Shows this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads it by usageHelp
    private boolean help;

    /** Settings that the options stand for, in the order in which they apply. */
    List<Setting> settings() throws InvalidArgumentException {
        List<Setting> settings = new ArrayList<>();
        for (String assignment : assignments) {
            settings.add(Setting.parseAssignment(assignment, "--set"));
        }
        if (namenode != null) {
            settings.add(
                    Setting.ofCommandLine(ClientKeys.NAMENODES.name(), namenode, "--namenode"));
        }
        if (timeout != null) {
            settings.add(
                    Setting.ofCommandLine(
                            ClientKeys.DEADLINE.name(), checked(timeout), "--timeout"));
        }
        return settings;
    }

    private static String checked(String timeout) throws InvalidArgumentException {
        try {
            Duration duration = DurationText.parse(timeout);
            return DurationText.format(duration);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--timeout: " + e.getMessage(), e);
        }
    }
}
