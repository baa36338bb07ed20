// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Which block a Read or Write is for, and under which generation: what the guard of our own target
 * compares before it lets the command to the medium. It takes fields of the submission entry that
 * are reserved, or belong to protection information (NVM Command Set 1.0, section 3.2.4 and 3.2.6:
 * CDW2, CDW3, CDW14, CDW15), which the formats of this tier do not have, so other controllers do
 * not look at them:
 *
 * <pre>
 * CDW2  index of the block's record   CDW3  bytes of the block
 * CDW14 counter                       CDW15 incarnation
 * </pre>
 *
 * <p>The record is needed since the address alone does not tell: blocks of several sizes may begin
 * before it, and their counters may be equal.
 *
 * @param record index of the block's first 4 KiB in the data
 * @param length bytes of the block
 * @param generation the generation that it was granted under
 */
public record CommandTag(int record, int length, long generation) {
    /** Of a command that is for no block. */
    public static final CommandTag NONE = new CommandTag(0, 0, 0);

    private static final int CDW2 = 8;
    private static final int CDW3 = 12;
    private static final int CDW14 = 56;

    /** Adds it to the entry that begins at {@code at}. */
    public void encode(ByteBuffer entry, int at) {
        ByteBuffer to = entry.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + CDW2, record).putInt(at + CDW3, length).putLong(at + CDW14, generation);
    }

    /** The tag of the entry that begins at {@code at}; of any peer, so its numbers may be any. */
    public static CommandTag decode(ByteBuffer entry, int at) {
        ByteBuffer from = entry.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return new CommandTag(
                from.getInt(at + CDW2), from.getInt(at + CDW3), from.getLong(at + CDW14));
    }
}
