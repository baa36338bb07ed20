// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a class logs as a warning, in this JVM, until this is closed. */
final class Warnings extends AbstractAppender implements AutoCloseable {
    private final Logger logger;
    private final List<String> texts = new CopyOnWriteArrayList<>();

    private Warnings(Logger logger) {
        super("test of " + logger.getName(), null, null, false, Property.EMPTY_ARRAY);
        this.logger = logger;
    }

    /** Listens to a class, by its name. */
    static Warnings of(String className) {
        Warnings warnings = new Warnings((Logger) LogManager.getLogger(className));
        warnings.start();
        warnings.logger.addAppender(warnings);
        return warnings;
    }

    @Override
    public void append(LogEvent event) {
        texts.add(event.getMessage().getFormattedMessage());
    }

    /** All so far. */
    List<String> texts() {
        return List.copyOf(texts);
    }

    @Override
    public void close() {
        logger.removeAppender(this);
        stop();
    }
}
