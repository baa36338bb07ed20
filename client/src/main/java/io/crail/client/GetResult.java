// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import java.util.Optional;

/** What {@link CrailTable#multiGet} found under one key. */
public sealed interface GetResult {
    /** The key has a value. */
    record Found(Value content) implements GetResult {
        @Override
        public Optional<Value> value() {
            return Optional.of(content);
        }
    }

    /** The key has no value. */
    record Absent() implements GetResult {
        @Override
        public Optional<Value> value() {
            return Optional.empty();
        }
    }

    /** The value could not be read. */
    record Failed(CrailException cause) implements GetResult {
        @Override
        public Optional<Value> value() throws CrailException {
            throw CrailException.of(cause.code(), String.valueOf(cause.getMessage()), cause);
        }
    }

    /**
     * The value, empty if there is none.
     *
     * @throws CrailException if it could not be read
     */
    Optional<Value> value() throws CrailException;
}
