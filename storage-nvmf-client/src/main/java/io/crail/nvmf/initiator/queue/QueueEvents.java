// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import static io.crail.nvmf.wire.pdu.FatalErrorStatus.DATA_OUT_OF_RANGE;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.INVALID_HEADER_FIELD;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.R2T_LIMIT_EXCEEDED;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.SEQUENCE_ERROR;
import static io.crail.nvmf.wire.pdu.FatalErrorStatus.UNSUPPORTED_PARAMETER;

import io.crail.nvmf.wire.command.CompletionEntry;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.InitializeRequest;
import io.crail.nvmf.wire.pdu.InitializeResponse;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.ReadyToTransfer;
import io.crail.nvmf.wire.pdu.ResponseCapsule;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the PDUs of a controller mean for the queue, and what a controller may send when: data only
 * for a command that reads, in sequence and within its buffer; R2Ts only for a command that writes,
 * one at a time and within its data; one answer for each command. All else ends the connection (TCP
 * transport 1.0, section 3.5).
 *
 * <p>Owned by the poller, which takes the queue's lock to look at places.
 */
final class QueueEvents implements PduReceiver.Events {
    private static final Logger LOG = LoggerFactory.getLogger(QueueEvents.class);

    /**
     * So many bytes are received before those who wait for them are told: their next commands
     * should be on their way while the rest is received, or the medium has nothing to do then.
     */
    private static final long MOST_MOVED = 256 << 10;

    private final QueuePair queue;
    private final QueueSettings settings;
    private PduFraming framing = PduFraming.PLAIN;
    private int answers;
    private long moved;

    QueueEvents(QueuePair queue, QueueSettings settings) {
        this.queue = queue;
        this.settings = settings;
    }

    /** Of PDUs from the controller: this host asks for no alignment. */
    PduFraming framing() {
        return framing;
    }

    /** Sends ICReq, as the first bytes of a connection; false if it does not take them. */
    boolean sendRequest(SocketChannel channel) throws IOException {
        ByteBuffer request = ByteBuffer.allocateDirect(InitializeRequest.SIZE);
        int oneR2t = 0;
        InitializeRequest.encode(
                request, 0, 0, settings.headerDigest(), settings.dataDigest(), oneR2t);
        channel.write(request);
        return !request.hasRemaining();
    }

    @Override
    public void initialized(ByteBuffer buffer, int at) throws MalformedPduException {
        if (!queue.isNegotiating()) {
            throw new MalformedPduException(SEQUENCE_ERROR, 0, "a second ICResp");
        }
        boolean headers = InitializeResponse.hasHeaderDigest(buffer, at);
        boolean data = InitializeResponse.hasDataDigest(buffer, at);
        if ((headers && !settings.headerDigest()) || (data && !settings.dataDigest())) {
            throw new MalformedPduException(
                    UNSUPPORTED_PARAMETER,
                    InitializeResponse.DIGESTS,
                    "an ICResp with digests that this host did not ask for");
        }
        if (headers != settings.headerDigest() || data != settings.dataDigest()) {
            LOG.info("{}: the controller does without digests asked for", queue.name());
        }
        framing = new PduFraming(headers, data, 4);
        int alignment =
                PduFraming.alignmentOf(InitializeResponse.controllerDataAlignment(buffer, at));
        int maxData =
                (int) Math.min(InitializeResponse.maxData(buffer, at), Integer.MAX_VALUE & ~3);
        queue.negotiated(
                new PduSender(
                        new PduFraming(headers, data, alignment),
                        settings.inCapsuleBytes(),
                        maxData,
                        queue.sharing()));
    }

    private void checkOpen(String what) throws MalformedPduException {
        if (!queue.isOpen()) {
            throw new MalformedPduException(SEQUENCE_ERROR, 0, what + " before ICResp");
        }
    }

    /** The place of a command that was sent whole. */
    private Place find(int commandId, int field, String what) throws MalformedPduException {
        Place place = queue.places().find(commandId);
        if (place == null) {
            throw new MalformedPduException(
                    INVALID_HEADER_FIELD, field, what + " for the unknown command " + commandId);
        }
        if (place.stage != Place.Stage.SENT || place.answered) {
            throw new MalformedPduException(
                    SEQUENCE_ERROR, 0, what + " out of turn for command " + commandId);
        }
        return place;
    }

    @Override
    public void responded(ByteBuffer buffer, int at) throws MalformedPduException {
        checkOpen("a CapsuleResp");
        int entry = at + ResponseCapsule.COMPLETION_ENTRY;
        Place place;
        queue.lock().lock();
        try {
            place =
                    find(
                            CompletionEntry.commandId(buffer, entry),
                            ResponseCapsule.COMPLETION_ENTRY + CompletionEntry.COMMAND_ID,
                            "a CapsuleResp");
        } finally {
            queue.lock().unlock();
        }
        int status = CompletionEntry.status(buffer, entry);
        if (place.shared >= 0 && Status.isSuccess(status)) {
            fetch(place);
        }
        queue.lock().lock();
        try {
            settle(place, CompletionEntry.result(buffer, entry), status);
        } finally {
            queue.lock().unlock();
        }
    }

    /** Takes data out of shared memory; outside of the lock, which is for others meanwhile. */
    private void fetch(Place place) {
        Command command = place.command;
        if (command == null || command.direction() != DataDirection.CONTROLLER_TO_HOST) {
            return;
        }
        place.received = command.length();
        int at = place.shared;
        if (keep(place, command)) {
            queue.sharing().handOver(queue::giveBack, command, at);
        } else {
            queue.sharing().fetch(command, at);
        }
    }

    /** Whether the data stays where it is; then its part is not the place's any more. */
    private boolean keep(Place place, Command command) {
        queue.lock().lock();
        try {
            boolean keeps = queue.sharing().keep(command);
            if (keeps) {
                place.shared = -1;
            }
            return keeps;
        } finally {
            queue.lock().unlock();
        }
    }

    /** The command has its answer; it ends when no data of it is under way any more. */
    private void settle(Place place, long result, int status) {
        int outcome = Status.isSuccess(status) ? statusOfData(place) : status;
        answers++;
        moved += bytesReceived(place);
        if (place.transferring) {
            place.answered = true;
            place.answerResult = result;
            place.answerStatus = outcome;
        } else {
            queue.answer(place, result, outcome);
        }
    }

    /** Receiving begins. */
    void begins() {
        answers = 0;
        moved = 0;
    }

    @Override
    public boolean mayGoOn() {
        return answers < QueuePair.COMPANY && moved < MOST_MOVED;
    }

    private static int bytesReceived(Place place) {
        Command command = place.command;
        return command != null && command.direction() == DataDirection.CONTROLLER_TO_HOST
                ? command.length()
                : 0;
    }

    /** Success, unless the data that arrived is wrong or not all of it. */
    private int statusOfData(Place place) {
        Command command = place.command;
        if (command == null || command.direction() != DataDirection.CONTROLLER_TO_HOST) {
            return Status.SUCCESS;
        }
        boolean missing = command.needsAllData() && place.received < command.length();
        if (missing) {
            LOG.warn(
                    "{}: {} of {} bytes came for {}",
                    queue.name(),
                    place.received,
                    command.length(),
                    command.what());
        }
        return missing || place.digestFailed
                ? StatusCode.TRANSIENT_TRANSPORT_ERROR.status()
                : Status.SUCCESS;
    }

    @Override
    public void asked(ByteBuffer buffer, int at) throws MalformedPduException {
        checkOpen("an R2T");
        queue.lock().lock();
        try {
            int id = ReadyToTransfer.commandId(buffer, at);
            Place place = find(id, ReadyToTransfer.COMMAND_ID, "an R2T");
            long offset = ReadyToTransfer.offset(buffer, at);
            long length = ReadyToTransfer.length(buffer, at);
            Command command = place.command;
            int writable =
                    command == null
                                    || place.inCapsule
                                    || place.shared >= 0
                                    || command.direction() != DataDirection.HOST_TO_CONTROLLER
                            ? 0
                            : command.length();
            if (offset + length > writable) {
                throw new MalformedPduException(
                        DATA_OUT_OF_RANGE,
                        0,
                        "an R2T for bytes "
                                + offset
                                + " to "
                                + (offset + length)
                                + " of command "
                                + id
                                + ", which has "
                                + writable);
            }
            if (place.transferring) {
                throw new MalformedPduException(
                        R2T_LIMIT_EXCEEDED, 0, "a second R2T at a time for command " + id);
            }
            place.transferring = true;
            place.transferTag = ReadyToTransfer.transferTag(buffer, at);
            place.transferOffset = (int) offset;
            place.transferEnd = (int) (offset + length);
            queue.openSender().addTransfer(place);
        } finally {
            queue.lock().unlock();
        }
    }

    @Override
    public Place dataBegins(ByteBuffer buffer, int at) throws MalformedPduException {
        checkOpen("a C2HData");
        queue.lock().lock();
        try {
            int id = DataPdu.commandId(buffer, at);
            Place place = find(id, DataPdu.COMMAND_ID, "a C2HData");
            Command command = place.command;
            long offset = DataPdu.offset(buffer, at);
            long length = DataPdu.length(buffer, at);
            int readable =
                    command == null
                                    || place.shared >= 0
                                    || command.direction() != DataDirection.CONTROLLER_TO_HOST
                            ? 0
                            : command.length();
            if (command == null || offset != place.received || offset + length > readable) {
                throw new MalformedPduException(
                        DATA_OUT_OF_RANGE,
                        0,
                        "C2HData for bytes "
                                + offset
                                + " to "
                                + (offset + length)
                                + " of command "
                                + id
                                + ", which has "
                                + readable
                                + " and got "
                                + place.received);
            }
            ByteBuffer data = place.receiveData;
            if (data == null) {
                data = newView(command);
                place.receiveData = data;
            }
            int from = command.dataStart() + (int) offset;
            data.clear().limit(from + (int) length).position(from);
            place.received = (int) (offset + length);
            return place;
        } finally {
            queue.lock().unlock();
        }
    }

    private static ByteBuffer newView(Command command) {
        ByteBuffer view = command.newDataView();
        if (view == null) {
            throw new IllegalStateException(command.what() + " has a length, but no data");
        }
        return view;
    }

    @Override
    public void dataEnded(Place place, boolean digestMatches, boolean last, boolean success) {
        if (!digestMatches) {
            LOG.warn("{}: data arrived with a wrong digest", queue.name());
            place.digestFailed = true;
            settings.onDamage().run();
        }
        if (last && success) {
            queue.lock().lock();
            try {
                settle(place, 0, Status.SUCCESS);
            } finally {
                queue.lock().unlock();
            }
        }
    }

    @Override
    public void terminated(ByteBuffer buffer, int at, int quoted) throws IOException {
        throw Termination.received(queue.name(), buffer, at);
    }
}
