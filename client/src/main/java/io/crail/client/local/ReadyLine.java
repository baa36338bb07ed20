// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.local;

import io.crail.protocol.config.Endpoint;
import java.util.Optional;

/**
 * The lines by which a server tells scripts that it serves: {@code crail ROLE status at URL}, if it
 * shows its status, and last {@code crail ROLE ready on ADDRESS}.
 */
public final class ReadyLine {
    private ReadyLine() {}

    public static String of(String role, String address) {
        return prefix(role) + address;
    }

    public static String ofStatus(String role, String url) {
        return statusPrefix(role) + url;
    }

    /** The URL of the status in the output of a server, if it shows it. */
    public static Optional<String> findStatus(String output, String role) {
        return find(output, statusPrefix(role));
    }

    /** The address in the output of a server, if it has printed the line. */
    public static Optional<Endpoint> findAddress(String output, String role) {
        return find(output, prefix(role)).map(Endpoint::parse);
    }

    private static Optional<String> find(String output, String prefix) {
        // Only whole lines: the end of the last one may not be written yet.
        int end = output.lastIndexOf('\n');
        return output.substring(0, Math.max(end, 0))
                .lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .findFirst();
    }

    private static String statusPrefix(String role) {
        return "crail " + role + " status at ";
    }

    private static String prefix(String role) {
        return "crail " + role + " ready on ";
    }
}
