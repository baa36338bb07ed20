// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.util.ArrayList;
import java.util.List;

/**
 * A host and a port, not resolved: {@code host:9060}, {@code 10.0.0.1:9060}, {@code [::1]:9060}.
 *
 * @param host a name, an IPv4 or an IPv6 literal (without brackets)
 * @param port 0..65535
 */
public record Endpoint(String host, int port) {
    public static final int MAX_PORT = 65_535;

    public Endpoint {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is not within 0.." + MAX_PORT);
        }
    }

    /**
     * Reads one endpoint.
     *
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    public static Endpoint parse(String text) {
        String trimmed = text.trim();
        int colon = trimmed.lastIndexOf(':');
        if (colon < 1 || colon == trimmed.length() - 1) {
            throw new IllegalArgumentException("'" + text + "' is not host:port");
        }
        return new Endpoint(
                host(text, trimmed.substring(0, colon)), port(text, trimmed.substring(colon + 1)));
    }

    /** Reads a list separated by commas; empty text is the empty list. */
    public static List<Endpoint> parseList(String text) {
        List<Endpoint> endpoints = new ArrayList<>();
        if (!text.isBlank()) {
            for (String part : text.split(",", -1)) {
                endpoints.add(parse(part));
            }
        }
        return List.copyOf(endpoints);
    }

    private static String host(String text, String host) {
        if (host.startsWith("[") && host.endsWith("]") && host.length() > 2) {
            return host.substring(1, host.length() - 1);
        }
        if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "'" + text + "': write an IPv6 address in brackets, [::1]:9060");
        }
        for (int i = 0; i < host.length(); i++) {
            if (Character.isWhitespace(host.charAt(i)) || "/[]".indexOf(host.charAt(i)) >= 0) {
                throw new IllegalArgumentException("'" + text + "' is not host:port");
            }
        }
        return host;
    }

    private static int port(String text, String digits) {
        try {
            int port = Integer.parseInt(digits);
            if (port >= 0 && port <= MAX_PORT && digits.charAt(0) != '+') {
                return port;
            }
        } catch (NumberFormatException e) {
            // Said below, as for a number out of range.
        }
        throw new IllegalArgumentException(
                "'" + text + "': the port must be a number within 0.." + MAX_PORT);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
