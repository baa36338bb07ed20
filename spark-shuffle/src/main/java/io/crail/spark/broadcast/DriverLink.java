// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How tasks of this JVM ask the driver to write a value again. Thread-safe. */
final class DriverLink {
    static final DriverLink OF_THIS_JVM = new DriverLink();

    /** First of a question: what is asked. */
    private static final String QUESTION = "broadcast";

    private static final int FIELDS = 3;

    private volatile @Nullable Function<String[], Object> driver;

    private DriverLink() {}

    /** A value that a task could not read. */
    record Lost(long broadcast, String path) {
        String[] toMessage() {
            return new String[] {QUESTION, Long.toString(broadcast), path};
        }

        /**
         * What was sent.
         *
         * @throws IllegalArgumentException if it is no such message
         */
        static Lost of(String[] message) {
            if (message.length != FIELDS || !message[0].equals(QUESTION)) {
                throw new IllegalArgumentException(
                        "a message of " + message.length + " strings asks for no broadcast");
            }
            return new Lost(Long.parseLong(message[1]), message[2]);
        }
    }

    /** Says how the driver is asked; null: not any more. */
    void set(@Nullable Function<String[], Object> asks) {
        driver = asks;
    }

    /** Where the driver has written the value again; null if it could not. */
    @Nullable StoredValue writeAgain(long broadcast, String path) {
        Function<String[], Object> asks = driver;
        if (asks != null
                && asks.apply(new Lost(broadcast, path).toMessage()) instanceof String[] answer
                && answer.length > 0) {
            return StoredValue.of(answer);
        }
        return null;
    }
}
