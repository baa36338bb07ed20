// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;

/** Hears how a snapshot ended; exactly one method is called, once, by the writing thread. */
public interface SnapshotListener {
    /** The snapshot is on stable storage under its final name. */
    void completed(long sequence, long records, long bytes);

    /**
     * There is no new snapshot and nothing unfinished is left; also after an abort. (If only the
     * sync of the directory failed, a complete snapshot may be there.)
     */
    void failed(long sequence, IOException cause);
}
