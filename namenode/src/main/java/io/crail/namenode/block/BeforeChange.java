// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/** Is told of each slab before its first change in a snapshot: copy on write. */
@FunctionalInterface
public interface BeforeChange {
    /** May call {@link SlabImages#encode}, and must change nothing. */
    void changing(int server, int segment, int slab);
}
