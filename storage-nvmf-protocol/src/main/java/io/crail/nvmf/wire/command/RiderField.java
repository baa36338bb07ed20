// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * A unit of 4,096 bytes elsewhere in the namespace that a Read or Write moves besides its data: the
 * checksums of a block with its bytes, by one command instead of two. Only of commands whose data
 * lies in shared memory ({@link SglDescriptor#SHARED}), and only where the controller says that it
 * knows it ({@link io.crail.nvmf.wire.identify.ControllerData#takesRiders}).
 *
 * <p>The metadata pointer of the submission entry, which commands over fabrics do not use (their
 * metadata, if any, lies between the logical blocks), is the logical block where the unit begins, a
 * multiple of 4,096 bytes; 0 means none. Its bytes lie in the shared memory right behind those that
 * the descriptor tells. The data is moved first, and if that fails the unit is not.
 */
public final class RiderField {
    /** Bytes of the unit. */
    public static final int SIZE = 4096;

    private RiderField() {}

    /**
     * Adds it to the entry that begins at {@code at}.
     *
     * @param firstBlock logical block of the unit, not the first one of the namespace
     */
    public static void encode(ByteBuffer entry, int at, long firstBlock) {
        LittleEndian.i64(entry, at + SubmissionEntry.METADATA, firstBlock);
    }

    /** The logical block of the unit; 0: there is none. Of any peer, so it may be any number. */
    public static long firstBlock(ByteBuffer entry, int at) {
        return LittleEndian.i64(entry, at + SubmissionEntry.METADATA);
    }
}
