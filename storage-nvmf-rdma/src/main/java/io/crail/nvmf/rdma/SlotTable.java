// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import io.crail.nvmf.initiator.error.NvmeProtocolException;
import io.crail.nvmf.initiator.queue.Command;
import io.crail.nvmf.wire.command.CompletionEntry;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.status.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a queue and the memory that belongs to them: puts commands into it, and takes
 * answers and data out. Guarded by the lock of the queue.
 */
final class SlotTable {
    private final Slot[] slots;
    private final ArrayDeque<Slot> free;
    private final DataArea area;
    private @Nullable QueueMemory memory;
    private int waitingForEvents;

    SlotTable(int count, int dataBytes) {
        slots = new Slot[count];
        free = new ArrayDeque<>(count);
        for (int i = 0; i < count; i++) {
            slots[i] = new Slot(i);
            free.addLast(slots[i]);
        }
        area = new DataArea(dataBytes);
    }

    void use(QueueMemory newMemory) {
        memory = newMemory;
    }

    private QueueMemory memory() {
        QueueMemory known = memory;
        if (known == null) {
            throw new IllegalStateException("there is no memory before the connection");
        }
        return known;
    }

    int dataBytes() {
        return area.bytes();
    }

    int taken() {
        return slots.length - free.size();
    }

    /** Taken ones whose commands are about to be answered. */
    int expected() {
        return taken() - waitingForEvents;
    }

    Slot[] all() {
        return slots;
    }

    /** A slot with room for the data of a command, or null. */
    @Nullable Slot take(Command command, long deadline) {
        if (free.isEmpty()) {
            return null;
        }
        int length = command.length();
        int offset = length == 0 ? -1 : area.take(length);
        if (length > 0 && offset < 0) {
            return null;
        }
        Slot slot = free.removeFirst();
        slot.take(command, offset, deadline);
        waitingForEvents += command.waitsForEvents() ? 1 : 0;
        return slot;
    }

    /** Hands the command of a slot, and what it writes, to the device. */
    void send(Slot slot) throws IOException {
        QueueMemory used = memory();
        Command command = command(slot);
        int entry = slot.number() * SubmissionEntry.SIZE;
        command.writeEntry(used.entries(), entry, slot.commandId());
        int length = command.length();
        // Without data, too, the descriptor is a keyed one, of nothing.
        SglDescriptor.encodeKeyed(
                used.entries(),
                entry + SubmissionEntry.SGL,
                length == 0 ? 0 : used.dataAddress() + slot.dataOffset,
                length,
                length == 0 ? 0 : used.dataKey());
        ByteBuffer from = command.newDataView();
        if (from != null && length > 0 && command.direction() != DataDirection.CONTROLLER_TO_HOST) {
            used.data().put(slot.dataOffset, from, command.dataStart(), length);
        }
        used.send(slot.number());
        slot.posted = true;
    }

    /**
     * A request is done: a capsule has left, or an answer has come.
     *
     * @param queue for messages
     * @return the command that has ended by that, if any
     */
    @Nullable Command completed(long request, String queue)
            throws NvmeProtocolException, IOException {
        if ((request & QueueMemory.ANSWER) == 0) {
            Slot slot = slots[(int) request];
            slot.sent = true;
            return settle(slot);
        }
        int index = (int) request;
        ByteBuffer answers = memory().answers();
        int at = index * CompletionEntry.SIZE;
        int commandId = CompletionEntry.commandId(answers, at);
        Slot slot = find(commandId);
        if (slot == null) {
            throw new NvmeProtocolException(
                    queue + ": the controller answered command " + commandId + ", which is none");
        }
        slot.answered = true;
        slot.result = CompletionEntry.result(answers, at);
        slot.status = CompletionEntry.status(answers, at);
        memory().expectAnswer(index);
        return settle(slot);
    }

    private @Nullable Slot find(int commandId) {
        int number = Slot.numberOf(commandId);
        if (number >= slots.length) {
            return null;
        }
        Slot slot = slots[number];
        boolean expected = slot.command != null && slot.posted && !slot.answered;
        return expected && slot.commandId() == commandId ? slot : null;
    }

    private @Nullable Command settle(Slot slot) {
        if (!slot.answered || !slot.sent) {
            return null;
        }
        Command command = command(slot);
        int length = command.length();
        if (length > 0) {
            ByteBuffer to = command.newDataView();
            if (to != null
                    && command.direction() == DataDirection.CONTROLLER_TO_HOST
                    && Status.isSuccess(slot.status)) {
                to.clear().put(command.dataStart(), memory().data(), slot.dataOffset, length);
            }
            area.giveBack(slot.dataOffset, length);
        }
        waitingForEvents -= command.waitsForEvents() ? 1 : 0;
        Command ended = slot.leave().endWith(slot.result, slot.status);
        free.addFirst(slot); // its memory is warm
        return ended;
    }

    private static Command command(Slot slot) {
        Command command = slot.command;
        if (command == null) {
            throw new IllegalStateException("slot " + slot.number() + " has no command");
        }
        return command;
    }
}
