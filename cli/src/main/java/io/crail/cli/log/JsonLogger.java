// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.log;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/** A logger whose events become lines. Thread-safe. */
final class JsonLogger extends LegacyAbstractLogger implements LoggingEventAware {
    private static final long serialVersionUID = 1L;

    private final Level level;
    private final transient JsonLines lines;

    JsonLogger(String name, Level level, JsonLines lines) {
        this.name = name;
        this.level = level;
        this.lines = lines;
    }

    private boolean isEnabled(Level asked) {
        return asked.toInt() >= level.toInt();
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isEnabled(Level.ERROR);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level at,
            @Nullable Marker marker,
            @Nullable String pattern,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        lines.write(at, name, text(pattern, arguments), failure, List.of());
    }

    @Override
    public void log(LoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        lines.write(
                event.getLevel(),
                name,
                text(event.getMessage(), event.getArgumentArray()),
                event.getThrowable(),
                pairs == null ? List.of() : pairs);
    }

    private static String text(@Nullable String pattern, @Nullable Object @Nullable [] arguments) {
        return String.valueOf(MessageFormatter.basicArrayFormat(pattern, arguments));
    }
}
