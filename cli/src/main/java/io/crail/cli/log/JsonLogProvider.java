// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Makes loggers that write JSON; slf4j makes one object of it, by its name. The level is that of
 * {@code org.slf4j.simpleLogger.defaultLogLevel}, as for text.
 */
public final class JsonLogProvider implements SLF4JServiceProvider, ILoggerFactory {
    private static final String API_VERSION = "2.0.99";
    private static final String LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";
    private static final String NETTY = "io.netty";

    private final ConcurrentMap<String, JsonLogger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final BasicMDCAdapter context = new BasicMDCAdapter();
    private final Level level = level(System.getProperty(LEVEL, "info"));
    private final JsonLines lines =
            new JsonLines(
                    new FileOutputStream(FileDescriptor.err),
                    Clock.systemUTC(),
                    context,
                    LogFormat.role());

    private static Level level(String word) {
        for (Level each : Level.values()) {
            if (each.name().equalsIgnoreCase(word)) {
                return each;
            }
        }
        return Level.INFO;
    }

    @Override
    public Logger getLogger(String name) {
        return loggers.computeIfAbsent(
                name,
                known ->
                        new JsonLogger(
                                known,
                                // As for text: what Netty says at DEBUG is of no use here.
                                known.startsWith(NETTY) && level.toInt() < Level.INFO.toInt()
                                        ? Level.INFO
                                        : level,
                                lines));
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return this;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return API_VERSION;
    }

    @Override
    public void initialize() {
        // Everything is there once it is constructed.
    }
}
