// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import java.io.IOException;
import java.util.List;

/**
 * Told how a run of rows goes on, in the thread that measures.
 *
 * @param <R> type of results
 */
public interface Progress<R> {
    /** The next row begins. */
    void begins(String row);

    /**
     * The row that began has been measured.
     *
     * @param results of the row: what has been measured stays so, whatever becomes of the others
     * @throws IOException if they cannot be kept, which ends the run
     */
    void measured(List<R> results) throws IOException;
}
