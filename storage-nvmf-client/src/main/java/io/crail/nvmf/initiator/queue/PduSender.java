// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.RiderField;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.pdu.CommandCapsule;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent on a connection. All commands posted since the last write leave in one
 * gathering write, their data straight from the callers' buffers; PDUs that answer an R2T take
 * turns with those of others. Guarded by the lock of its queue.
 */
final class PduSender {
    /** Buffers in one write: header, data and digest of a few dozen PDUs. */
    private static final int MAX_GATHERED = 96;

    private static final int BUFFERS_PER_PDU = 3;

    /** Data that the capsule of a fabrics or admin command may carry. */
    private static final int ADMIN_CAPSULE_BYTES = 8192;

    private final PduFraming framing;
    private final int inCapsuleBytes;
    private final int maxData;
    private final DataSharing sharing;
    private final PduDigest digest = new PduDigest();
    private final ArrayDeque<Place> queue = new ArrayDeque<>();
    private final ByteBuffer[] gathered = new ByteBuffer[MAX_GATHERED];

    /**
     * A sender for a connection that is set up. PDUs are as long as the target allows, with
     * digests, too: Linux's target takes the digest of a PDU to be that of all data of its command,
     * and ends the connection over a transfer in several.
     *
     * @param maxData MAXH2CDATA
     * @param sharing of the queue
     */
    PduSender(PduFraming framing, int inCapsuleBytes, int maxData, DataSharing sharing) {
        this.framing = framing;
        this.inCapsuleBytes = inCapsuleBytes;
        this.maxData = maxData;
        this.sharing = sharing;
    }

    boolean isIdle() {
        return queue.isEmpty();
    }

    /** PDUs that were not sent whole. */
    int size() {
        return queue.size();
    }

    /** Whether the connection is in the midst of a PDU. */
    boolean isWithinPdu() {
        Place first = queue.peekFirst();
        return first != null && first.header.position() > 0;
    }

    /** Adds the capsule of a place's command. */
    void addCapsule(Place place) {
        Command command = command(place);
        ByteBuffer header = place.header;
        int length = command.length();
        place.shared = sharing.lend(command);
        boolean inCapsule =
                place.shared < 0
                        && command.direction() == DataDirection.HOST_TO_CONTROLLER
                        && length > 0
                        && length <= capsuleRoom(command);
        place.inCapsule = inCapsule;
        framing.encodeHeader(header.clear(), 0, PduType.CAPSULE_CMD, 0, inCapsule ? length : 0);
        int entry = CommandCapsule.SUBMISSION_ENTRY;
        command.encode(header, entry, place.commandId());
        if (place.shared >= 0) {
            SglDescriptor.encodeShared(header, entry + SubmissionEntry.SGL, place.shared, length);
        } else if (inCapsule) {
            SglDescriptor.encodeInCapsule(header, entry + SubmissionEntry.SGL, length);
        } else {
            SglDescriptor.encodeTransport(header, entry + SubmissionEntry.SGL, length);
        }
        addRider(place, command, entry);
        prepare(place, PduType.CAPSULE_CMD, inCapsule ? command.newDataView() : null, 0, length);
        queue.addLast(place);
    }

    private void addRider(Place place, Command command, int entry) {
        Rider rider = command.extras().rider();
        if (rider == null) {
            return;
        }
        if (place.shared >= 0 && sharing.rides(command)) {
            RiderField.encode(place.header, entry, rider.firstBlock());
        } else {
            rider.staysBehind();
        }
    }

    private int capsuleRoom(Command command) {
        return command.isAlwaysInCapsule() ? ADMIN_CAPSULE_BYTES : inCapsuleBytes;
    }

    /** Adds what an R2T asked for; the place says from where to where. */
    void addTransfer(Place place) {
        prepareTransfer(place);
        queue.addLast(place);
    }

    private void prepareTransfer(Place place) {
        int offset = place.transferOffset;
        int length = Math.min(maxData, place.transferEnd - offset);
        place.transferOffset = offset + length;
        DataPdu.encodeFromHost(
                place.header.clear(),
                0,
                framing,
                place.commandId(),
                place.transferTag,
                offset,
                length,
                place.transferOffset == place.transferEnd);
        ByteBuffer data = place.sendData;
        prepare(
                place,
                PduType.H2C_DATA,
                data == null ? command(place).newDataView() : data,
                offset,
                length);
    }

    /** Completes a header, and sets the buffers to what is to be sent. */
    private void prepare(
            Place place, PduType type, @Nullable ByteBuffer data, int offset, int length) {
        place.header.limit(framing.sealHeader(place.header, 0, type, digest));
        place.sendData = data;
        place.digest.limit(0);
        if (data == null) {
            return;
        }
        int from = command(place).dataStart() + offset;
        data.clear().limit(from + length).position(from);
        if (framing.dataDigest()) {
            place.digest.clear();
            LittleEndian.i32(place.digest, 0, digest.of(data, from, length));
        }
    }

    private static Command command(Place place) {
        Command command = place.command;
        if (command == null) {
            throw new IllegalStateException("a free place is to be sent");
        }
        return command;
    }

    /**
     * Sends as much as the connection takes.
     *
     * @param settled gets the places whose commands were answered while their data was being sent
     * @return whether all was sent
     */
    boolean send(GatheringByteChannel channel, List<Place> settled) throws IOException {
        while (!queue.isEmpty()) {
            int count = gather();
            channel.write(gathered, 0, count);
            boolean blocked = gathered[count - 1].hasRemaining();
            retire(settled);
            if (blocked) {
                return false;
            }
        }
        return true;
    }

    private int gather() {
        int count = 0;
        for (Place each : queue) {
            if (count > MAX_GATHERED - BUFFERS_PER_PDU) {
                break;
            }
            if (each.header.hasRemaining()) {
                gathered[count++] = each.header;
            }
            ByteBuffer data = each.sendData;
            if (data != null && data.hasRemaining()) {
                gathered[count++] = data;
            }
            if (each.digest.hasRemaining()) {
                gathered[count++] = each.digest;
            }
        }
        return count;
    }

    private void retire(List<Place> settled) {
        for (Place each = queue.peekFirst(); each != null; each = queue.peekFirst()) {
            if (each.header.position() > 0 && each.stage == Place.Stage.QUEUED) {
                each.stage = Place.Stage.SENDING;
            }
            if (!each.isPduSent()) {
                return;
            }
            queue.removeFirst();
            each.stage = Place.Stage.SENT;
            if (each.transferring) {
                continueTransfer(each, settled);
            }
        }
    }

    private void continueTransfer(Place place, List<Place> settled) {
        if (place.transferOffset < place.transferEnd) {
            addTransfer(place);
            return;
        }
        place.transferring = false;
        if (place.answered) {
            settled.add(place);
        }
    }
}
