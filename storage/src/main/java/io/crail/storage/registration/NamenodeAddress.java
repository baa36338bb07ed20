// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import io.crail.error.InvalidArgumentException;

/**
 * Where a namenode listens. The host is resolved anew at every connect.
 *
 * @param host name or address literal
 * @param port 1..65535
 */
public record NamenodeAddress(String host, int port) {
    /** The address in "host:port" or "[v6 literal]:port". */
    public static NamenodeAddress parse(String text) throws InvalidArgumentException {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (!host.isEmpty() && port >= 1 && port <= 0xFFFF) {
                return new NamenodeAddress(host, port);
            }
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException("namenode address " + text + " is not host:port", e);
        }
        throw new InvalidArgumentException("namenode address " + text + " is not host:port");
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
