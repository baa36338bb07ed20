// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import java.util.Arrays;
import java.util.List;

/**
 * Chooses where logs go, by system properties and before the first logger is made. Servers log to
 * standard error with timestamps. Other commands have no logs unless asked: their errors are
 * printed, and the start of a logging framework would cost them a tenth of their time.
 */
final class Logs {
    private static final String SIMPLE = "org.slf4j.simpleLogger.";
    private static final List<String> SERVERS = List.of("namenode", "storage");
    private static final List<String> TARGET = List.of("nvmf", "target");

    private Logs() {}

    static void configure(String[] arguments) {
        List<String> words = Arrays.asList(arguments);
        boolean verbose = words.contains("-v") || words.contains("--verbose");
        boolean server = words.stream().anyMatch(SERVERS::contains) || words.containsAll(TARGET);
        if (!server && !verbose) {
            setDefault("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
            setDefault("slf4j.internal.verbosity", "ERROR");
            return;
        }
        setDefault(SIMPLE + "defaultLogLevel", verbose ? "debug" : "info");
        setDefault(SIMPLE + "log.io.netty", "info");
        setDefault(SIMPLE + "showDateTime", "true");
        setDefault(SIMPLE + "dateTimeFormat", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        setDefault(SIMPLE + "showThreadName", "false");
        setDefault(SIMPLE + "showShortLogName", "true");
    }

    /** What a user has set with -D stays. */
    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
