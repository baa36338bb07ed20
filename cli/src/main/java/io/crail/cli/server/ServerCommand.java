// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.server;

import io.crail.cli.cluster.ClusterRemains;
import io.crail.cli.command.Command;
import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.cli.log.LogFormat;
import io.crail.client.local.ReadyLine;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ConfigKey;
import io.crail.protocol.config.Setting;
import io.crail.protocol.launch.RunningServer;
import io.crail.protocol.launch.ServerLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Runs a server until the process is told to end. */
abstract class ServerCommand extends Command {
    private final String role;

    private final ConfigKey<String> logFormat;

    @Option(
            names = "--bound-cluster",
            hidden = true,
            paramLabel = "DIR",
            description =
                    "Ends when standard input does. The last server of the local cluster in that"
                            + " directory that ends so removes it.")
    private @Nullable Path boundCluster;

    ServerCommand(Invocation invocation, String role, ConfigKey<String> logFormat) {
        super(invocation);
        this.role = role;
        this.logFormat = logFormat;
    }

    /** Hands the options of the command to the configuration. */
    abstract void apply() throws IOException;

    @Override
    protected void run() throws IOException {
        apply();
        // Before any class that logs is touched: slf4j chooses once in the life of a process.
        if (invocation.configuration().get(logFormat).equals("json")) {
            LogFormat.useJson(role);
        }
        if (boundCluster != null) {
            Lifeline lifeline = new Lifeline(invocation.console().in(), () -> System.exit(0));
            lifeline.hold(invocation.leftovers(), new ClusterRemains(boundCluster));
        }
        try (RunningServer server = started()) {
            // A signal starts the shutdown hook, which removes leftovers: this one by closing it.
            Leftovers.Removal close = invocation.leftovers().add(server::close);
            server.warning().ifPresent(invocation::warn);
            // First, so that it is there when the ready line is.
            server.statusUrl()
                    .ifPresent(url -> invocation.out().println(ReadyLine.ofStatus(role, url)));
            invocation.out().println(ReadyLine.of(role, server.address()));
            invocation.out().flush();
            server.awaitEnd();
            invocation.leftovers().forget(close);
        }
    }

    private RunningServer started() throws IOException {
        try {
            return start(launcher());
        } catch (CrailException e) {
            throw CommandFailure.of(e);
        }
    }

    /** Starts the server; what fails says what to do. */
    RunningServer start(ServerLauncher launcher) throws CrailException {
        return launcher.start(invocation.configuration());
    }

    /** Sets a key if the option that stands for it was used. */
    final void set(ConfigKey<?> key, @Nullable Object value, String option) {
        if (value != null) {
            invocation.set(Setting.ofCommandLine(key.name(), value.toString(), option));
        }
    }

    private ServerLauncher launcher() throws InvalidArgumentException {
        for (ServerLauncher launcher : ServiceLoader.load(ServerLauncher.class)) {
            if (launcher.role().equals(role)) {
                return launcher;
            }
        }
        throw new InvalidArgumentException(
                "no " + role + " on the class path; start it with bin/crail");
    }
}
