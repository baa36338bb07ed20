// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.Console;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.OutputException;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ClientKeys;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.ConfigurationLoader;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.config.SecurityKeys;
import io.crail.protocol.config.Setting;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One run of the command: streams, environment, options, and the client, which is connected when it
 * is first asked for. Commands use it from the thread that runs them; {@link #client()} may be
 * handed to workers.
 */
public final class Invocation implements AutoCloseable {
    /** Where bin/crail says that crail lies. */
    public static final String HOME_PROPERTY = "crail.home";

    /** Something that is done to one path and may fail. */
    @FunctionalInterface
    public interface Action {
        /** Does it. */
        void run() throws IOException;
    }

    private final Console console;
    private final Map<String, String> environment;
    private final Leftovers leftovers = new Leftovers();
    private final List<Setting> commandSettings = new ArrayList<>();
    private @Nullable GlobalOptions options;
    private @Nullable Configuration configuration;
    private @Nullable CrailClient connection;
    private @Nullable CrailClient client;
    private ExitCode worst = ExitCode.OK;
    private boolean outputFailed;

    public Invocation(Console console, Map<String, String> environment) {
        this.console = console;
        this.environment = Map.copyOf(environment);
    }

    /** Tells which options apply; called once the arguments are parsed. */
    public void use(GlobalOptions parsed) {
        this.options = parsed;
    }

    public Console console() {
        return console;
    }

    public PrintStream out() {
        return console.out();
    }

    public Map<String, String> environment() {
        return environment;
    }

    /**
     * The global options again, for a process that shall have the same configuration, in whatever
     * directory it works.
     */
    public List<String> configurationOptions() throws InvalidArgumentException {
        List<String> again = new ArrayList<>();
        if (options != null && options.config != null) {
            again.add("--config");
            again.add(options.config.toAbsolutePath().toString());
        }
        if (options != null) {
            options.assignments.forEach(assignment -> again.add("--set=" + assignment));
        }
        Path secret = configuration().get(SecurityKeys.SECRET_FILE);
        if (!secret.toString().isEmpty()) {
            again.add("--set=" + SecurityKeys.SECRET_FILE + "=" + secret.toAbsolutePath());
        }
        return again;
    }

    /** Whether a program reads the results. */
    public boolean json() {
        return options != null && options.json;
    }

    public boolean verbose() {
        return options != null && options.verbose;
    }

    /** What must not stay when the command is ended early. */
    public Leftovers leftovers() {
        return leftovers;
    }

    /** Prints a result as JSON. */
    public void printJson(@Nullable Object value) {
        out().println(Json.write(value));
    }

    /** Adds a setting that an option of the command stands for. */
    public void set(Setting setting) {
        commandSettings.add(setting);
        configuration = null;
    }

    /** The configuration, with the command's own settings; read once. */
    public Configuration configuration() throws InvalidArgumentException {
        if (configuration == null) {
            ConfigurationLoader loader = new ConfigurationLoader(environment);
            String home = System.getProperty(HOME_PROPERTY);
            if (home != null) {
                loader.usualFile(Path.of(home, "conf", "crail.conf"));
            }
            if (options != null) {
                if (options.config != null) {
                    loader.file(options.config);
                }
                loader.commandLine(options.settings());
            }
            configuration = loader.commandLine(commandSettings).load();
        }
        return configuration;
    }

    /**
     * The namenodes of the option, not of the configuration: for what must not happen to a cluster
     * that nobody has named just now.
     *
     * @return empty if there is no such option
     */
    public List<Endpoint> namenodesOfOption() throws InvalidArgumentException {
        boolean given = options != null && options.namenode != null;
        return given ? configuration().get(ClientKeys.NAMENODES) : List.of();
    }

    /** The namenodes: those configured, else the local cluster that runs, else the default. */
    public List<Endpoint> namenodes() throws InvalidArgumentException {
        return choice().namenodes();
    }

    /**
     * Puts into the configuration which namenodes a command would ask, for servers, which look
     * nowhere else.
     *
     * @return who tells, when none of them answers, why it was these
     */
    public UnaryOperator<CrailException> configureNamenodes() throws InvalidArgumentException {
        NamenodeChoice choice = choice();
        if (!choice.namenodes().equals(configuration().get(ClientKeys.NAMENODES))) {
            set(
                    Setting.ofCommandLine(
                            ClientKeys.NAMENODES.name(), choice.addresses(), "the local cluster"));
        }
        return choice::explain;
    }

    private NamenodeChoice choice() throws InvalidArgumentException {
        return NamenodeChoice.of(configuration(), environment);
    }

    /**
     * The client, connected. A namenode that is not there is told soon: what takes long is the
     * operations, unless the user has set the time for everything.
     */
    public CrailClient client() throws CrailException {
        if (client == null) {
            Configuration values = configuration();
            Duration deadline = values.get(ClientKeys.DEADLINE);
            Duration patience =
                    values.isSet(ClientKeys.DEADLINE)
                            ? deadline
                            : values.get(ClientKeys.CONNECT_TIMEOUT);
            NamenodeChoice choice = choice();
            try {
                connection =
                        CrailClient.connect(
                                ClientConfigurations.of(
                                        values, choice.namenodes(), "crail", patience));
            } catch (CrailException e) {
                throw choice.explain(e);
            }
            client = connection.withDeadline(deadline);
        }
        return client;
    }

    /**
     * Does something to one path. A failure is reported and remembered, and the next path gets its
     * turn, as users of coreutils expect.
     *
     * @return whether it succeeded
     * @throws OutputException if there is no sense in a next path
     */
    public boolean attempt(String what, Action action) {
        try {
            action.run();
            return true;
        } catch (OutputException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            report(what, e);
            return false;
        }
    }

    /** Reports a failure and remembers it. */
    public synchronized ExitCode report(String what, Throwable error) {
        ExitCode code =
                error instanceof OutputException output && output.readerGone()
                        ? ExitCode.OUTPUT_CLOSED
                        : ErrorReport.print(console, what, error, verbose());
        outputFailed |= error instanceof OutputException;
        if (worst == ExitCode.OK) {
            worst = code;
        }
        return code;
    }

    /**
     * Ends the command: writes the last of its results. A command whose results nobody got has
     * failed, whatever it has done.
     *
     * @param status its exit code so far
     * @param last what is still to be printed
     * @return the exit code
     */
    public synchronized int end(int status, String last) {
        try {
            out().print(last);
        } catch (OutputException e) {
            // Told below, as what remained in the buffer is.
        }
        Optional<OutputException> failure = console.outputFailure();
        if (failure.isEmpty() || outputFailed) {
            return status;
        }
        ExitCode code = report("", failure.get());
        return status == ExitCode.OK.number() ? code.number() : status;
    }

    /** Tells the user of something that is no error. */
    public void warn(String text) {
        console.err().println(console.paintError(Colour.BAD, "crail: warning:") + " " + text);
    }

    /** The exit code: of the first failure, if any. */
    public synchronized int exitCode() {
        return worst.number();
    }

    /** Closes the client, if there is one. */
    @Override
    public void close() {
        if (connection != null) {
            connection.close();
            connection = null;
            client = null;
        }
    }
}
