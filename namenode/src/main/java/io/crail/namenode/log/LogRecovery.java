// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a replay of the log found.
 *
 * @param nextSequence sequence of the next record to be written
 * @param records records handed to the visitor
 * @param cut what was cut off at the end of the log, or null if it ended cleanly
 */
public record LogRecovery(long nextSequence, long records, @Nullable Cut cut) {
    /**
     * An end that was cut off.
     *
     * @param file the file that ends early now
     * @param offset where it ends now; 0 if the whole file went
     * @param bytes bytes cut off, of this and of later files
     * @param lostRecords intact records among them: 0 for a torn tail
     * @param corruption whether acknowledged records may be lost; false for a torn tail, the trace
     *     of a write that a crash interrupted, with nothing behind it
     * @param reason what was wrong at that offset
     */
    public record Cut(
            Path file,
            long offset,
            long bytes,
            long lostRecords,
            boolean corruption,
            String reason) {}
}
