// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.log;

import io.crail.cli.terminal.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.spi.MDCAdapter;

/**
 * Writes events as JSON, each as one line and with one call to the stream. Thread-safe. What cannot
 * be written is lost: a server does not end because nobody takes its log.
 */
final class JsonLines {
    /** Milliseconds always, so that lines sort as text. */
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    /** Fields of every line; a field of an event that is called so gets a line below its name. */
    private static final Set<String> OWN =
            Set.of("timestamp", "level", "logger", "thread", "message", "exception", "role");

    private final OutputStream out;
    private final Clock clock;
    private final MDCAdapter context;
    private final String role;

    JsonLines(OutputStream out, Clock clock, MDCAdapter context, String role) {
        this.out = out;
        this.clock = clock;
        this.context = context;
        this.role = role;
    }

    void write(
            Level level,
            String logger,
            String message,
            @Nullable Throwable failure,
            List<KeyValuePair> pairs) {
        Map<String, @Nullable Object> line =
                Json.object(
                        "timestamp", TIME.format(clock.instant()),
                        "level", level.name(),
                        "logger", logger,
                        "thread", Thread.currentThread().getName(),
                        "message", message);
        if (!role.isEmpty()) {
            line.put("role", role);
        }
        Map<String, String> about = context.getCopyOfContextMap();
        if (about != null) {
            about.forEach((key, value) -> put(line, key, value));
        }
        pairs.forEach(pair -> put(line, pair.key, pair.value));
        if (failure != null) {
            line.put("exception", stack(failure));
        }
        byte[] bytes = (Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (out) {
            try {
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                return; // There is nowhere left to tell it.
            }
        }
    }

    private static void put(
            Map<String, @Nullable Object> line, String key, @Nullable Object value) {
        line.put(OWN.contains(key) ? key + "_" : key, value);
    }

    private static String stack(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString().strip();
    }
}
