// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.log;

/** Chooses the form of a server's log, before the first logger is made. */
public final class LogFormat {
    private static final String PROVIDER = "slf4j.provider";
    private static final String VERBOSITY = "slf4j.internal.verbosity";
    private static final String ROLE = "crail.log.role";

    private LogFormat() {}

    /**
     * From now on events are written as JSON. A provider that the user has chosen with -D stays.
     *
     * @param role the server, as it shall stand in each line
     */
    public static void useJson(String role) {
        System.setProperty(ROLE, role);
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, JsonLogProvider.class.getName());
        }
        if (System.getProperty(VERBOSITY) == null) {
            // Else slf4j tells on standard error, as text, which provider it takes.
            System.setProperty(VERBOSITY, "WARN");
        }
    }

    static String role() {
        return System.getProperty(ROLE, "");
    }
}
