// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

/** What a replay may give up of a damaged log instead of refusing it. */
public enum LogLoss {
    /** No intact record. */
    NONE,

    /**
     * What lies behind a broken record of the last file, but not its first one. A crash of the host
     * loses what was not synced, in no order: pages of the log that were prepared ahead may have
     * reached the disk while some before them had not.
     */
    LAST_FILE,

    /** Everything behind the damage, whatever it is: the operator has accepted that. */
    ANY;

    boolean covers(boolean lastFile, boolean certain) {
        return this == ANY || (this == LAST_FILE && lastFile && !certain);
    }
}
