// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.fence;

import io.crail.nvmf.wire.command.RiderField;
import java.nio.ByteBuffer;

/**
 * Says of each command that reads or changes a medium whether it may, right before it does, and
 * hears when it has. What a {@link Gate} is for a host, this is for ranges of a namespace; who
 * serves more than one owner there brings one. Thread-safe; called by event loops and workers, so
 * it must not block.
 */
public interface CommandGuard {
    /** Of a command that moves nothing but its data. */
    long NO_RIDER = -1;

    /** Everything is allowed. */
    CommandGuard NONE =
            new CommandGuard() {
                @Override
                public long enter(
                        ByteBuffer entry, boolean isWrite, long position, int length, long rider) {
                    return 0;
                }

                @Override
                public void exit(long hold) {}
            };

    /** What {@link #enter} returns to refuse a command with a status. */
    static long refuse(int status) {
        return -1L - status;
    }

    /** The status that a refusal stands for. */
    static int status(long refusal) {
        return (int) (-1L - refusal);
    }

    /**
     * Begins an access.
     *
     * @param entry the command's submission entry, at position 0; as the peer sent it
     * @param isWrite whether it changes the range
     * @param position first byte in the namespace; the range lies within it
     * @param length bytes
     * @param rider first byte of a unit of {@link RiderField#SIZE} that is moved, too, in the same
     *     way and within the namespace; {@link #NO_RIDER}: there is none
     * @return what to pass to {@link #exit}, 0 or more; or a refusal: then the medium must not be
     *     touched, and {@link #exit} not be called
     */
    long enter(ByteBuffer entry, boolean isWrite, long position, int length, long rider);

    /** The access has ended: its system call has returned. */
    void exit(long hold);
}
