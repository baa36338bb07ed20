// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.process;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Ports for servers that come back at the same one after a while. The kernel's choice would not do:
 * while the server is away any connection of anybody may get it as its own end. These are below
 * what the kernel chooses from. No port is given twice, and test JVMs that run side by side begin
 * at different ones. Thread-safe.
 */
public final class Ports {
    private static final int FIRST = 10_000;
    private static final int LAST = 30_000;
    private static final int STRIDE = 401;

    private static int next =
            FIRST + (int) (ProcessHandle.current().pid() * STRIDE % (LAST - FIRST));

    private Ports() {}

    /** A port that nobody listens at. */
    public static synchronized int free() throws IOException {
        for (int i = FIRST; i < LAST; i++) {
            int port = next;
            next = port + 1 < LAST ? port + 1 : FIRST;
            try (ServerSocket socket =
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // It is in use.
            }
        }
        throw new IOException("no port between " + FIRST + " and " + LAST + " is free");
    }
}
