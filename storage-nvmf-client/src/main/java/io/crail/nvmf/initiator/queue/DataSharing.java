// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.RiderField;
import io.crail.nvmf.wire.command.SharedMemoryCommand;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a queue shares with a controller on this machine, and which part of it belongs to
 * which command. Large data is copied into it or out of it, once, and does not go through the
 * socket, which costs twice as much processor time; a command that finds no room there waits for it
 * ({@link WaitingCommands}).
 *
 * <p>A queue asks for memory when some large commands have gone through the socket: who moves
 * little does not pay for it. One that was refused asks again after four times as many.
 *
 * <p><b>Whose a part is.</b> From when the command is put into the queue's output until its answer
 * has come. If that does not come the connection ends, and the memory with it: what the controller
 * does late with a command that was given up never meets another one.
 *
 * <p><b>Kept parts.</b> Data that was read may stay in its part, to be looked at there ({@link
 * KeptPart}): the part is the reader's then, until he gives it back. Half of the memory is never
 * kept. Since a reader may wait for a command before he gives back what he has, commands wait for
 * room only while other commands have some; kept parts may lie so that nothing large fits in
 * between.
 *
 * <p><b>Riders.</b> The unit of a {@link Rider} lies in the same part, behind the data.
 *
 * <p>Guarded by the lock of the queue, but for {@link #fetch} and {@link #handOver}, which are the
 * poller's.
 */
final class DataSharing {
    /** Smaller data costs less to send than the words about it. */
    static final int LEAST = 32 << 10;

    /** Large commands before memory is asked for. */
    private static final int FIRST = 16;

    private static final int AGAIN = 4;

    /** In which parts are lent. */
    private static final int UNIT = 64 << 10;

    /** What is smaller costs little to copy, and would leave gaps that nothing large fits in. */
    private static final int LEAST_KEPT = 128 << 10;

    /** Of which one is never kept. */
    private static final int KEPT_PARTS = 2;

    private final BitSet lent = new BitSet();
    private int keptUnits;
    private boolean possible;
    private boolean riders;
    private int large;
    private int askAt = FIRST;
    private @Nullable ByteBuffer memory;

    /**
     * The controller is on this machine, and has memory to share.
     *
     * @param takesRiders whether it moves them
     */
    void makePossible(boolean takesRiders) {
        possible = true;
        riders = takesRiders;
    }

    /** Whether the rider of a command whose data lies there goes along. */
    boolean rides(Command command) {
        return riders && command.extras().rider() != null;
    }

    /** Whether that of a command with so many bytes would. */
    boolean takesRiders(int bytes) {
        return riders
                && memory != null
                && isLarge(bytes)
                && units(bytes + RiderField.SIZE) <= allUnits();
    }

    /** A command that is posted; whether memory is to be asked for now. */
    boolean isWanted(Command command) {
        return possible && memory == null && isLarge(command) && ++large == askAt;
    }

    /** There is none now. */
    void refused() {
        askAt = large * AGAIN;
    }

    /** It may be used from now on. */
    void begin(ByteBuffer shared) {
        memory = shared;
    }

    private static boolean isLarge(Command command) {
        return isLarge(command.length()) && command.mayShareMemory();
    }

    /** Whether data of so many bytes is better not sent through the socket. */
    static boolean isLarge(int bytes) {
        return bytes >= LEAST && (bytes & SharedMemoryCommand.ALIGNMENT - 1) == 0;
    }

    /** Whether the data of a command is to lie there. */
    boolean isFor(Command command) {
        return memory != null && isLarge(command) && units(command) <= allUnits();
    }

    /**
     * Whether a command whose data is to lie there has something to wait for: room that other
     * commands have now. If there is neither, its data goes through the socket.
     */
    boolean lacksRoom(Command command) {
        return free(units(command)) < 0 && lent.cardinality() > keptUnits;
    }

    /**
     * Lends a part to a command, and puts data for the controller there.
     *
     * @return where it begins, or -1 if the data has to go through the socket
     */
    int lend(Command command) {
        ByteBuffer all = memory;
        int units = units(command);
        int first = isFor(command) ? free(units) : -1;
        if (all == null || first < 0) {
            return -1;
        }
        lent.set(first, first + units);
        int at = first * UNIT;
        if (command.direction() == DataDirection.HOST_TO_CONTROLLER) {
            give(command, all, at);
        }
        return at;
    }

    private void give(Command command, ByteBuffer all, int at) {
        SharedExtras extras = command.extras();
        DataGiver giver = extras.giver();
        ByteBuffer data = command.newDataView();
        if (giver != null) {
            giver.give(all, at);
        } else if (data != null) {
            all.put(at, data, command.dataStart(), command.length());
        }
        Rider rider = extras.rider();
        if (riders && rider != null) {
            rider.put(all, at + command.length());
        }
    }

    /** The first of so many free units, or -1. */
    private int free(int units) {
        int count = allUnits();
        int first = lent.nextClearBit(0);
        while (first + units <= count) {
            int end = lent.nextSetBit(first);
            if (end < 0 || end - first >= units) {
                return first;
            }
            first = lent.nextClearBit(end);
        }
        return -1;
    }

    /** What does not fill one is left out. */
    private int allUnits() {
        return memory == null ? 0 : memory.capacity() / UNIT;
    }

    private int units(Command command) {
        return units(command.length() + (rides(command) ? RiderField.SIZE : 0));
    }

    private static int units(int bytes) {
        return (bytes + UNIT - 1) / UNIT;
    }

    /** Copies what the controller has put there. By the poller, while the part is lent. */
    void fetch(Command command, int at) {
        ByteBuffer all = memory;
        ByteBuffer data = command.newDataView();
        if (all == null || data == null) {
            throw new IllegalStateException(command.what() + " has no data in shared memory");
        }
        DataTaker taker = command.extras().taker();
        if (taker != null) {
            taker.take(all, at);
        } else {
            data.clear().put(command.dataStart(), all, at, command.length());
        }
        takeRider(command, all, at);
    }

    private void takeRider(Command command, ByteBuffer all, int at) {
        Rider rider = command.extras().rider();
        if (riders && rider != null) {
            rider.take(all, at + command.length());
        }
    }

    /** The command is over. */
    void giveBack(Command command, int at) {
        clear(at, units(command));
    }

    private void clear(int at, int units) {
        int first = at / UNIT;
        lent.clear(first, first + units);
    }

    /** Whether data that was read may stay in its part; then it does, until it is given back. */
    boolean keep(Command command) {
        DataTaker taker = command.extras().taker();
        int units = units(command);
        boolean keeps =
                taker != null
                        && command.length() >= LEAST_KEPT
                        && keptUnits + units <= allUnits() / KEPT_PARTS
                        && taker.keeps();
        keptUnits += keeps ? units : 0;
        return keeps;
    }

    /** Hands over data that stays. By the poller, while the part is lent. */
    void handOver(KeptPart.Owner owner, Command command, int at) {
        ByteBuffer all = memory;
        DataTaker taker = command.extras().taker();
        if (all == null || taker == null) {
            throw new IllegalStateException(command.what() + " has no data in shared memory");
        }
        takeRider(command, all, at);
        ByteBuffer data = all.slice(at, command.length()).asReadOnlyBuffer();
        taker.keep(new KeptPart(owner, data, at, units(command)));
    }

    /** Nobody looks at a part that was kept any more. */
    void giveBackKept(int at, int units) {
        clear(at, units);
        keptUnits -= units;
    }
}
