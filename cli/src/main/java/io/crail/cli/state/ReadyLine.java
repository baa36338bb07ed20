// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.state;

import io.crail.protocol.config.Endpoint;
import java.util.Optional;

/** The line by which a server tells scripts that it serves: {@code crail ROLE ready on ADDRESS}. */
public final class ReadyLine {
    private ReadyLine() {}

    public static String of(String role, String address) {
        return prefix(role) + address;
    }

    /** The address in the output of a server, if it has printed the line. */
    public static Optional<Endpoint> find(String output, String role) {
        // Only whole lines: the end of the last one may not be written yet.
        int end = output.lastIndexOf('\n');
        return output.substring(0, Math.max(end, 0))
                .lines()
                .filter(line -> line.startsWith(prefix(role)))
                .map(line -> Endpoint.parse(line.substring(prefix(role).length())))
                .findFirst();
    }

    private static String prefix(String role) {
        return "crail " + role + " ready on ";
    }
}
