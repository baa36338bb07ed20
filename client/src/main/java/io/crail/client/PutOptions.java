// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import java.time.Duration;

/**
 * How a value is put. Immutable.
 *
 * @param condition when the put takes place
 * @param expectedVersion for {@link Condition#IF_VERSION}
 * @param lifetime time to live of the value, zero = without an end
 */
public record PutOptions(Condition condition, long expectedVersion, Duration lifetime) {
    /** When a put takes place. */
    public enum Condition {
        /** Always. */
        ALWAYS,
        /** Only if the key has no value. */
        IF_ABSENT,
        /** Only if the key's value has the expected version. */
        IF_VERSION
    }

    public static final PutOptions DEFAULT = new PutOptions(Condition.ALWAYS, 0, Duration.ZERO);
    public static final PutOptions IF_ABSENT =
            new PutOptions(Condition.IF_ABSENT, 0, Duration.ZERO);

    public static PutOptions ifVersion(long version) {
        return new PutOptions(Condition.IF_VERSION, version, Duration.ZERO);
    }

    public PutOptions withLifetime(Duration timeToLive) {
        return new PutOptions(condition, expectedVersion, timeToLive);
    }
}
