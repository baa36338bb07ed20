// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.CrailException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes single units of a namespace on behalf of blocks, in memory of its own. Calls
 * return at once; their ends are told in any thread, once, with null for success.
 */
interface UnitIo {
    FlashLayout layout();

    /** Reads one unit and shows it; it may be looked at until {@code use} returns. */
    void readUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> use,
            Consumer<@Nullable CrailException> ended);

    /**
     * Writes one unit, which {@code fill} fills right before, all of it; not if the write fails
     * because there is no memory for it any more, perhaps before this returns.
     */
    void writeUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> fill,
            Consumer<@Nullable CrailException> ended);

    /** Reads one unit, lets it be changed, and writes it. */
    void changeUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> change,
            Consumer<@Nullable CrailException> ended);
}
