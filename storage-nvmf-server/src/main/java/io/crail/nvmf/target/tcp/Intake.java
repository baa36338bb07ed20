// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import static io.crail.nvmf.wire.pdu.FatalErrorStatus.DATA_LIMIT_EXCEEDED;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.DATA_OUT_OF_RANGE;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.INVALID_HEADER_FIELD;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.SEQUENCE_ERROR;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.memory.DataBuffer;
import io.crail.nvmf.target.shared.QueueMemory;
import io.crail.nvmf.target.subsystem.Namespace;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.RiderField;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.pdu.CommandCapsule;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.InitializeRequest;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.TerminateRequest;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Makes commands of a connection's PDUs: gives each a slot, has it checked, finds memory for its
 * data, and gets that data from the host. For the event loop.
 *
 * <p>Commands that find no memory are parked and go on in their order; the connection reads on
 * meanwhile, since a host has no more commands than slots. Only data in a capsule without memory
 * stops it (see {@link Memory}).
 */
final class Intake implements Receiver.Sink {
    /** What the specification demands of the admin queue (TCP transport 1.0, section 3.3.2.1). */
    static final int ADMIN_CAPSULE_BYTES = 8192;

    private final Connection connection;
    private final TransportSettings settings;
    private final Slots slots;
    private final Memory memory;
    private final ArrayDeque<Slot> parked = new ArrayDeque<>();
    private PduFraming framing = PduFraming.PLAIN;
    private boolean initialized;
    private int capsuleBytes = ADMIN_CAPSULE_BYTES;
    private QueueMemory shared = QueueMemory.NONE;
    private int awaiting;

    /** Command of the capsule that waits for memory. */
    private @Nullable Slot refused;

    /** Command whose capsule or data comes in. */
    private @Nullable Slot current;

    private int currentBytes;

    Intake(Connection connection, TransportSettings settings, Slots slots, Memory memory) {
        this.connection = connection;
        this.settings = settings;
        this.slots = slots;
        this.memory = memory;
    }

    /** The connection is an I/O queue now, which may share that memory with its host. */
    void becomesIoQueue(QueueMemory memoryOfQueue) {
        shared = memoryOfQueue;
        capsuleBytes = settings.inCapsuleBytes();
    }

    /** Whether the host owes data that it was asked for. */
    boolean isAwaitingData() {
        return awaiting > 0;
    }

    @Override
    public boolean isOpen() {
        return connection.isOpen();
    }

    @Override
    public boolean onHeader(PduType type, ByteBuffer buffer, int at, int dataLength)
            throws MalformedPduException {
        if (initialized == (type == PduType.IC_REQ)) {
            throw new MalformedPduException(
                    SEQUENCE_ERROR,
                    0,
                    initialized ? "a second ICReq" : "a " + type + " before ICReq");
        }
        switch (type) {
            case IC_REQ -> initialize(buffer, at);
            case CAPSULE_CMD -> {
                return capsule(buffer, at, dataLength);
            }
            case H2C_DATA -> data(buffer, at);
            default ->
                    connection.onTerminated(
                            TerminateRequest.status(buffer, at),
                            TerminateRequest.information(buffer, at));
        }
        return true;
    }

    private void initialize(ByteBuffer buffer, int at) throws MalformedPduException {
        InitializeRequest.check(buffer, at);
        boolean header =
                settings.headerDigests() && InitializeRequest.wantsHeaderDigest(buffer, at);
        boolean data = settings.dataDigests() && InitializeRequest.wantsDataDigest(buffer, at);
        int alignment = PduFraming.alignmentOf(InitializeRequest.hostDataAlignment(buffer, at));
        framing = new PduFraming(header, data, PduFraming.PLAIN.dataAlignment());
        initialized = true;
        connection.onInitialized(framing, new PduFraming(header, data, alignment));
    }

    private boolean capsule(ByteBuffer buffer, int at, int dataLength)
            throws MalformedPduException {
        Slot slot = refused;
        if (slot == null) {
            slot = begin(buffer, at, dataLength);
        }
        Command command = slot.command;
        if (command.isSuccess()
                && dataLength > 0
                && command.direction() == DataDirection.HOST_TO_CONTROLLER) {
            DataBuffer taken = memory.takeForCapsule(command.bufferBytes());
            if (taken == null) {
                refused = slot;
                return false;
            }
            command.giveData(taken);
            connection.receiveInto(taken.bytes().slice(command.dataOffset(), dataLength));
        }
        refused = null;
        current = slot;
        return true;
    }

    private Slot begin(ByteBuffer buffer, int at, int dataLength) throws MalformedPduException {
        if (dataLength > capsuleBytes) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD,
                    PduHeader.PDU_LENGTH,
                    "a capsule with " + dataLength + " bytes of data, above " + capsuleBytes);
        }
        Slot slot = slots.take();
        if (slot == null) {
            throw new MalformedPduException(
                    SEQUENCE_ERROR,
                    0,
                    "more commands than the " + slots.limit() + " entries of the queue");
        }
        slot.stage = Slot.Stage.RECEIVING;
        slot.begin(connection.commands());
        Command command = slot.command;
        command.begin(buffer, at + CommandCapsule.SUBMISSION_ENTRY);
        connection.onArrived();
        int status = connection.commands().prepare(command);
        if (slots.find(command.commandId(), slot) != null) {
            status = StatusCode.COMMAND_ID_CONFLICT.doNotRetry();
        } else if (Status.isSuccess(status)) {
            status = checkDescriptor(command, dataLength);
        }
        command.status(status);
        return slot;
    }

    /** Whether the SGL descriptor describes the data that the command has. */
    private int checkDescriptor(Command command, int dataLength) {
        if (command.direction() == DataDirection.NONE) {
            return Status.SUCCESS;
        }
        ByteBuffer entry = command.entry();
        int type = SglDescriptor.type(entry, SubmissionEntry.SGL);
        if (type == SglDescriptor.SHARED) {
            return lend(command, dataLength);
        }
        boolean fromHost = command.direction() == DataDirection.HOST_TO_CONTROLLER;
        boolean inCapsule = type == SglDescriptor.IN_CAPSULE && fromHost;
        if (!inCapsule && type != SglDescriptor.TRANSPORT) {
            return StatusCode.SGL_TYPE_INVALID.doNotRetry();
        }
        if (inCapsule && SglDescriptor.address(entry, SubmissionEntry.SGL) != 0) {
            return StatusCode.SGL_OFFSET_INVALID.doNotRetry();
        }
        boolean fits =
                SglDescriptor.length(entry, SubmissionEntry.SGL) == command.length()
                        && dataLength == (inCapsule ? command.length() : 0);
        return fits ? Status.SUCCESS : StatusCode.DATA_SGL_LENGTH_INVALID.doNotRetry();
    }

    private int lend(Command command, int dataLength) {
        ByteBuffer entry = command.entry();
        if (!command.mayLieInSharedMemory()) {
            return StatusCode.SGL_TYPE_INVALID.doNotRetry();
        }
        if (dataLength != 0
                || SglDescriptor.length(entry, SubmissionEntry.SGL) != command.length()) {
            return StatusCode.DATA_SGL_LENGTH_INVALID.doNotRetry();
        }
        long unit = RiderField.firstBlock(entry, 0);
        int length = command.length();
        ByteBuffer piece =
                shared.piece(
                        SglDescriptor.address(entry, SubmissionEntry.SGL),
                        length + (unit == 0 ? 0 : RiderField.SIZE));
        if (piece == null) {
            return StatusCode.SGL_OFFSET_INVALID.doNotRetry();
        }
        command.lend(piece.slice(0, length));
        return unit == 0
                ? Status.SUCCESS
                : takeRider(command, unit, piece.slice(length, RiderField.SIZE));
    }

    private static int takeRider(Command command, long unit, ByteBuffer memory) {
        Namespace namespace = command.namespace();
        if (!namespace.contains(unit, RiderField.SIZE / namespace.blockBytes())) {
            return StatusCode.LBA_OUT_OF_RANGE.doNotRetry();
        }
        long position = namespace.positionOf(unit);
        if (position % RiderField.SIZE != 0) {
            return StatusCode.INVALID_FIELD.doNotRetry();
        }
        command.ride(namespace.medium().span(position, RiderField.SIZE), memory);
        return Status.SUCCESS;
    }

    private void data(ByteBuffer buffer, int at) throws MalformedPduException {
        DataPdu.check(buffer, at, framing, PduType.H2C_DATA);
        Slot slot = slots.at(DataPdu.transferTag(buffer, at));
        if (slot == null || slot.stage != Slot.Stage.AWAITING || slot.asksForData) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD, DataPdu.TRANSFER_TAG, "data that nobody asked for");
        }
        Command command = slot.command;
        if (DataPdu.commandId(buffer, at) != command.commandId()) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD, DataPdu.COMMAND_ID, "data of another command");
        }
        long offset = DataPdu.offset(buffer, at);
        long length = DataPdu.length(buffer, at);
        if (length > settings.maxDataPduBytes()) {
            throw new MalformedPduException(
                    DATA_LIMIT_EXCEEDED, DataPdu.LENGTH, length + " bytes of data in a PDU");
        }
        boolean ends = offset + length == command.length();
        if (offset != slot.received
                || offset + length > command.length()
                || (DataPdu.isLast(buffer, at) && !ends)) {
            throw new MalformedPduException(
                    DATA_OUT_OF_RANGE,
                    DataPdu.OFFSET,
                    length
                            + " bytes for "
                            + offset
                            + " after "
                            + slot.received
                            + " of "
                            + command.length());
        }
        current = slot;
        currentBytes = (int) length;
        connection.receiveInto(
                command.data().slice(command.dataOffset() + (int) offset, (int) length));
    }

    @Override
    public void onComplete(PduType type, boolean intact) {
        Slot slot = current;
        current = null;
        if (!intact) {
            connection.onDamagedData();
        }
        if (slot == null) {
            return;
        }
        slot.damaged |= !intact;
        if (type == PduType.H2C_DATA) {
            slot.received += currentBytes;
            if (slot.received < slot.command.length()) {
                return;
            }
            awaiting--;
            arrived(slot);
        } else if (!slot.command.isSuccess() || slot.command.hasData()) {
            arrived(slot);
        } else if (slot.command.direction() == DataDirection.NONE) {
            arrived(slot);
        } else {
            findMemory(slot);
        }
    }

    /** All that the host sends for the command is there. */
    private void arrived(Slot slot) {
        if (slot.damaged && slot.command.isSuccess()) {
            slot.command.status(StatusCode.TRANSIENT_TRANSPORT_ERROR.status());
        }
        connection.carryOut(slot);
    }

    private void findMemory(Slot slot) {
        DataBuffer taken = parked.isEmpty() ? memory.take(slot.command.bufferBytes()) : null;
        if (taken == null) {
            slot.stage = Slot.Stage.PARKED;
            parked.add(slot);
        } else {
            goOn(slot, taken);
        }
    }

    private void goOn(Slot slot, DataBuffer taken) {
        slot.command.giveData(taken);
        if (slot.command.direction() == DataDirection.CONTROLLER_TO_HOST) {
            connection.carryOut(slot);
        } else {
            slot.stage = Slot.Stage.AWAITING;
            slot.asksForData = true;
            awaiting++;
            connection.send(slot);
        }
    }

    /** There may be memory again; whether there was, for the first command that waits. */
    boolean unpark() {
        if (parked.isEmpty()) {
            return false;
        }
        DataBuffer taken = memory.take(parked.element().command.bufferBytes());
        if (taken == null) {
            return false;
        }
        goOn(parked.remove(), taken);
        return true;
    }

    /** Aborts a command that has not been carried out yet; false if that is too late. */
    boolean abort(int commandId) {
        Slot slot = slots.find(commandId, null);
        if (slot == null) {
            return false;
        }
        if (slot.stage == Slot.Stage.PARKED && parked.remove(slot)) {
            slot.command.status(StatusCode.ABORT_REQUESTED.status());
            connection.answer(slot);
            return true;
        }
        return slot.stage == Slot.Stage.AWAY && slot.command.abort();
    }
}
