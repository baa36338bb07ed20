// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.command.ExitCode;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Console;
import io.crail.protocol.config.Spelling;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;

/** Where the {@code crail} command begins. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Logs.configure(arguments);
        Map<String, String> environment = System.getenv();
        Console console = Console.ofProcess(environment);
        Invocation invocation = new Invocation(console, environment);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> cleanUp(invocation), "crail-cleanup"));
        int status = run(arguments, invocation);
        // Not only returning: a thread of a library must not keep a finished command alive.
        System.exit(status);
    }

    /**
     * Runs one command in this JVM, for tests and for programs that embed it; does not end the
     * process.
     *
     * @return the exit code
     */
    public static int run(String[] arguments, InputStream in, PrintStream out, PrintStream err) {
        return run(arguments, Console.captured(in, out, err), Map.of());
    }

    /** As {@link #run(String[], InputStream, PrintStream, PrintStream)}, with an environment. */
    public static int run(String[] arguments, Console console, Map<String, String> environment) {
        return run(arguments, new Invocation(console, environment));
    }

    private static int run(String[] arguments, Invocation invocation) {
        Console console = invocation.console();
        try (invocation) {
            CommandLine line = CommandTree.forArguments(invocation, arguments);
            // Not straight to the console, whose failures the parser would print with their stack.
            StringWriter help = new StringWriter();
            line.setOut(new PrintWriter(help, true));
            line.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
            line.setUsageHelpAutoWidth(false);
            line.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
            line.setParameterExceptionHandler((error, args) -> usage(console, error));
            line.setExecutionExceptionHandler(
                    (error, command, parsed) -> invocation.report(name(command), error).number());
            int status = line.execute(arguments);
            return invocation.end(status, help.toString());
        } finally {
            console.err().flush();
        }
    }

    private static void cleanUp(Invocation invocation) {
        for (Throwable failure : invocation.leftovers().removeAll()) {
            invocation.report("cleaning up", failure);
        }
    }

    private static int usage(Console console, CommandLine.ParameterException error) {
        CommandLine command = error.getCommandLine();
        String full = command.getCommandSpec().qualifiedName();
        String hint = suggestion(error);
        console.err()
                .println(
                        "crail: "
                                + error.getMessage()
                                + hint
                                + "; '"
                                + full
                                + " --help' shows what there is");
        return ExitCode.USAGE.number();
    }

    private static String suggestion(CommandLine.ParameterException error) {
        if (!(error instanceof CommandLine.UnmatchedArgumentException unmatched)) {
            return "";
        }
        Set<String> words = new HashSet<>(error.getCommandLine().getSubcommands().keySet());
        words.addAll(error.getCommandLine().getCommandSpec().optionsMap().keySet());
        return Spelling.nearest(unmatched.getUnmatched().get(0), words)
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("");
    }

    /** {@code fs ls} for the command that is called {@code crail fs ls}. */
    private static String name(CommandLine command) {
        String qualified = command.getCommandSpec().qualifiedName();
        return qualified.substring(qualified.indexOf(' ') + 1);
    }
}
