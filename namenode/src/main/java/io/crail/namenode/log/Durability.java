// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

/** What an acknowledged mutation survives. */
public enum Durability {
    /** The end of the namenode may lose the last records: they are written when many are due. */
    NONE,
    /** Survives kill -9 of the namenode: records are handed to the kernel before the answer. */
    PROCESS,
    /** Survives a crash of the host: answers wait until records are on stable storage. */
    SYNC
}
