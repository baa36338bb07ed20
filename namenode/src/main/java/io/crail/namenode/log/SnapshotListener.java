// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;

/** Hears how a snapshot ended; exactly one method is called, once, by the writing thread. */
public interface SnapshotListener {
    /** The snapshot is on stable storage under its final name. */
    void completed(long sequence, long records, long bytes);

    /** There is no snapshot, and nothing of it is left; also after an abort. */
    void failed(long sequence, IOException cause);
}
