// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/** What a block is to the namenode (docs/adr/0001-consistency.md has the state machine). */
public enum BlockState {
    /** Nobody may touch it; may be granted under the generation that is known. */
    FREE,
    /** A session may write it; no node has it. */
    GRANTED,
    /** Part of a node. */
    COMMITTED,
    /** No node has it any more; its server has yet to say that nobody can touch it. */
    REVOKING,
    /** As revoking, but its server said that it is pinned or not provably fenced. */
    QUARANTINED,
    /** Its generation counter is used up: never granted again, counted as lost capacity. */
    RETIRED,
    /**
     * Granted or committed, but its server is dead or reports another generation. Derived from
     * these facts, never stored.
     */
    LOST
}
