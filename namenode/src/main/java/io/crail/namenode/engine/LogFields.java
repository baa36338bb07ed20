// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import org.slf4j.MDC;

/**
 * Fields of log lines that programs read (slf4j's MDC): whom a line is about. Text does not show
 * them, because its messages say the same. For what is logged rarely, not for each request.
 */
final class LogFields {
    private LogFields() {}

    /** Logs something about a storage server. */
    static void server(int id, Runnable logging) {
        with("server", Integer.toString(id), logging);
    }

    /** Logs something about a session. */
    static void session(long id, Runnable logging) {
        with("session", Long.toString(id), logging);
    }

    private static void with(String field, String value, Runnable logging) {
        MDC.put(field, value);
        try {
            logging.run();
        } finally {
            MDC.remove(field);
        }
    }
}
