// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.InvalidArgumentException;
import java.time.Duration;

/**
 * How a STREAM is made: how much of it is kept, and what every node has. Immutable; {@link
 * #DEFAULT} keeps everything. When a limit is exceeded the oldest records go, some at a time.
 *
 * <pre>{@code
 * StreamOptions.DEFAULT.withMaxBytes(1L << 30).withMaxAge(Duration.ofHours(1))
 * }</pre>
 *
 * @param maxBytes bytes kept, 8 per record included; 0 = no limit
 * @param maxRecords records kept; 0 = no limit
 * @param maxAge how long a record is kept; zero = no limit
 * @param create what every node has
 */
public record StreamOptions(long maxBytes, long maxRecords, Duration maxAge, CreateOptions create) {
    public static final StreamOptions DEFAULT =
            new StreamOptions(0, 0, Duration.ZERO, CreateOptions.DEFAULT);

    public StreamOptions withMaxBytes(long bytes) {
        return new StreamOptions(bytes, maxRecords, maxAge, create);
    }

    public StreamOptions withMaxRecords(long records) {
        return new StreamOptions(maxBytes, records, maxAge, create);
    }

    public StreamOptions withMaxAge(Duration age) {
        return new StreamOptions(maxBytes, maxRecords, age, create);
    }

    public StreamOptions withCreate(CreateOptions options) {
        return new StreamOptions(maxBytes, maxRecords, maxAge, options);
    }

    void check() throws InvalidArgumentException {
        if (maxBytes < 0 || maxRecords < 0 || maxAge.isNegative()) {
            throw new InvalidArgumentException("a limit of a stream is negative: " + this);
        }
    }
}
