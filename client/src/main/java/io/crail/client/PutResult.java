// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;

/** What became of one entry of {@link CrailTable#multiPut}. */
public sealed interface PutResult {
    /** The value was put, with that version. */
    record Done(long number) implements PutResult {
        @Override
        public long version() {
            return number;
        }
    }

    /**
     * The value was not put: {@link io.crail.error.ConditionFailedException} if its condition was
     * not met, else what stood in the way.
     */
    record Failed(CrailException cause) implements PutResult {
        @Override
        public long version() throws CrailException {
            throw CrailException.of(cause.code(), String.valueOf(cause.getMessage()), cause);
        }
    }

    /**
     * The version of the value put.
     *
     * @throws CrailException if it was not put
     */
    long version() throws CrailException;
}
