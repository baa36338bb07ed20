// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Bytes that are written once and then read, compressed and encrypted as the application says.
 * Belongs to the thread of the task.
 */
public interface SpillFile {
    /** The stream that writes it, to be closed before it is read. Called once. */
    OutputStream write() throws IOException;

    /** A stream over all of it, to be closed. */
    InputStream read() throws IOException;

    /** Removes it. Idempotent. */
    void delete();
}
