// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

/** How a new backing file gets its space. */
public enum Allocation {
    /**
     * All of it is written with zeros before the file is served. Then no write of a host can fail
     * because somebody else filled the file system, the first write of a block costs what the next
     * one costs, and flush has no metadata to write. Takes as long as writing the file takes.
     */
    WRITTEN,
    /**
     * Space is taken as blocks are first written. Starts at once; a host's write may fail for lack
     * of space, which it is told (Capacity Exceeded).
     */
    SPARSE
}
