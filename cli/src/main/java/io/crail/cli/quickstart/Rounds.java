// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.terminal.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The side of a {@link Participant} that does the work: it says that it is ready, does a round for
 * each line that it gets, says so each time, and ends with its input. The start of a JVM is then no
 * part of what is measured, and no process outlives the one that started it.
 */
final class Rounds {
    static final String READY = "ready";
    static final String GO = "go";
    static final String DONE = "done";

    private Rounds() {}

    /** What is done in a round. */
    @FunctionalInterface
    interface Round {
        /** Does it; rounds are counted from 0. */
        void run(int round) throws IOException;
    }

    static void serve(Console console, Round round) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(console.in(), StandardCharsets.UTF_8));
        say(console, READY);
        for (int i = 0; GO.equals(in.readLine()); i++) {
            round.run(i);
            say(console, DONE);
        }
    }

    private static void say(Console console, String word) {
        console.out().println(word);
        console.out().flush();
    }
}
