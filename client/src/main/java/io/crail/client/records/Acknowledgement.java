// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.records;

import io.crail.error.CrailException;
import org.jspecify.annotations.Nullable;

/** Told what became of a record. */
@FunctionalInterface
public interface Acknowledgement {
    /**
     * Called once.
     *
     * @param offset of the record, if there is no cause
     */
    void done(long offset, @Nullable CrailException cause);
}
