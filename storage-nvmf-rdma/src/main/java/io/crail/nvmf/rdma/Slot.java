// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import io.crail.nvmf.initiator.queue.Command;
import org.jspecify.annotations.Nullable;

/**
 * A place for one command at a time. Its command identifier is made of its number and its turn, so
 * that an answer that comes twice does not pass for that of the next command. A turn ends when the
 * command is answered and its capsule has left: until then the device may read it. Guarded by the
 * lock of the queue.
 */
final class Slot {
    static final int NUMBER_BITS = 10;

    private final int number;
    private int turn;
    @Nullable Command command;

    /** Of its data in the {@link DataArea}; -1 if it has none. */
    int dataOffset = -1;

    /** The capsule was handed to the device: the controller may execute the command. */
    boolean posted;

    /** The device has sent the capsule. */
    boolean sent;

    boolean answered;
    long result;
    int status;

    /** By the engine's clock. */
    long deadline;

    boolean aborting;

    Slot(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    int commandId() {
        return (turn << NUMBER_BITS | number) & 0xFFFF;
    }

    static int numberOf(int commandId) {
        return commandId & ((1 << NUMBER_BITS) - 1);
    }

    void take(Command newCommand, int offset, long newDeadline) {
        command = newCommand;
        dataOffset = offset;
        deadline = newDeadline;
        posted = false;
        sent = false;
        answered = false;
        aborting = false;
    }

    /** Ends the turn. */
    Command leave() {
        Command left = command;
        if (left == null) {
            throw new IllegalStateException("slot " + number + " is free already");
        }
        command = null;
        dataOffset = -1;
        turn++;
        return left;
    }
}
