// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import io.crail.protocol.block.BlockId;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not as it should be.
 *
 * @param kind what
 * @param path path of the node, or "" if it is none
 * @param node id of the node or session, or 0
 * @param block the block, or null if it is none
 * @param length bytes of the block, or of the node that are in it
 * @param generation generation of the block
 * @param text what was found, for people
 */
public record Finding(
        Kind kind,
        String path,
        long node,
        @Nullable BlockId block,
        int length,
        long generation,
        String text) {
    /** Kinds of findings. */
    public enum Kind {
        /** A block that no node, lease or grant refers to: its memory is of no use to anybody. */
        ORPHAN_BLOCK("orphan-block"),
        /** A block that belongs to two extents or grants. */
        SHARED_BLOCK("shared-block"),
        /** A node or session refers to a block that is in another state than it should be. */
        WRONG_STATE("wrong-state"),
        /** Bytes of a node whose server is dead, or came back without them. */
        LOST_EXTENT("lost-extent"),
        /** A sum of a container is not that of what lies below it. */
        WRONG_TOTAL("wrong-total"),
        /** A counter of a server's blocks is not what is counted. */
        WRONG_COUNTER("wrong-counter"),
        /**
         * Namenode and storage server disagree about the generation of a block: it can be neither
         * read nor written under the one that the namenode gives out.
         */
        WRONG_GENERATION("wrong-generation"),
        /** One of the two waits for a block to be freed, and the other one does not know of it. */
        STUCK_BLOCK("stuck-block"),
        /** A segment is known to one of the two only, or is another one to each. */
        WRONG_SEGMENT("wrong-segment"),
        /** A process holds a block in place that it has no right to hold any more. */
        STRAY_PIN("stray-pin");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** Its name for people and JSON. */
        public String label() {
            return label;
        }
    }

    static Finding ofBlock(Kind kind, BlockId block, int length, long generation, String text) {
        return new Finding(kind, "", 0, block, length, generation, text);
    }
}
