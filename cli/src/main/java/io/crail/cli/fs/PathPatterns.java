// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.ExitCode;
import io.crail.cli.command.Invocation;
import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.error.CrailException;
import io.crail.error.InvalidNameException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * What the paths mean that a command is given: those that exist under that very name are
 * themselves, others may be patterns, see {@link Glob}. Mixed into the commands that take them.
 */
final class PathPatterns {
    /** Something that is done to one path. */
    @FunctionalInterface
    interface Action {
        /** Does it. */
        void run(String path) throws IOException;
    }

    @Option(
            names = "--no-glob",
            description = "Takes *, ?, [a-z], {a,b} and \\ in paths as they are.")
    private boolean literal;

    /**
     * Does something to every path that the arguments mean. Failures are reported; the next path
     * gets its turn.
     */
    void each(Invocation invocation, String verb, List<String> arguments, Action action) {
        each(invocation, verb, arguments, false, action);
    }

    /** As above; with {@code noneIsFine}, a pattern that nothing matches is no failure. */
    void each(
            Invocation invocation,
            String verb,
            List<String> arguments,
            boolean noneIsFine,
            Action action) {
        for (String argument : arguments) {
            invocation.attempt(
                    verb + " " + argument,
                    () -> {
                        CrailIterator<String> paths = paths(invocation.client(), argument);
                        if (!noneIsFine) {
                            checkNotEmpty(paths, argument);
                        }
                        while (paths.hasNext()) {
                            String path = paths.next();
                            invocation.attempt(verb + " " + path, () -> action.run(path));
                        }
                    });
        }
    }

    private static void checkNotEmpty(CrailIterator<String> paths, String argument)
            throws CrailException, CommandFailure {
        if (!paths.hasNext()) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "nothing matches the pattern " + argument + "; --no-glob takes it as a name");
        }
    }

    /** All paths that the arguments mean, in order, for what is done to them together. */
    List<String> all(CrailClient client, List<String> arguments)
            throws CrailException, CommandFailure {
        List<String> all = new ArrayList<>();
        for (String argument : arguments) {
            CrailIterator<String> paths = paths(client, argument);
            checkNotEmpty(paths, argument);
            while (paths.hasNext()) {
                all.add(paths.next());
            }
        }
        return all;
    }

    /** Whether the arguments mean more than one path, or could at another time. */
    boolean mayBeSeveral(List<String> arguments) {
        boolean pattern = !literal && arguments.stream().anyMatch(Glob::isPattern);
        return pattern || arguments.size() > 1;
    }

    /** Whether the arguments mean more than one path now. */
    boolean areSeveral(CrailClient client, List<String> arguments) throws CrailException {
        if (arguments.size() > 1 || !mayBeSeveral(arguments)) {
            return arguments.size() > 1;
        }
        CrailIterator<String> paths = paths(client, arguments.get(0));
        if (!paths.hasNext()) {
            return false;
        }
        paths.next();
        return paths.hasNext();
    }

    private CrailIterator<String> paths(CrailClient client, String argument) throws CrailException {
        boolean itself = literal || !Glob.isPattern(argument) || exists(client, argument);
        return itself ? one(argument) : new GlobMatches(client, Glob.parse(argument));
    }

    private static boolean exists(CrailClient client, String path) throws CrailException {
        try {
            return client.lookup(path).isPresent();
        } catch (InvalidNameException e) {
            return false; // a pattern may be longer than any name
        }
    }

    private static CrailIterator<String> one(String path) {
        return new CrailIterator<>() {
            private boolean given;

            @Override
            public boolean hasNext() {
                return !given;
            }

            @Override
            public String next() {
                given = true;
                return path;
            }
        };
    }
}
