// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.fake;

import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.CompletionEntry;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.pdu.CommandCapsule;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.InitializeRequest;
import io.crail.nvmf.wire.pdu.InitializeResponse;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.ReadyToTransfer;
import io.crail.nvmf.wire.pdu.ResponseCapsule;
import io.crail.nvmf.wire.pdu.TerminateRequest;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The target's end of a connection: reads PDUs, and writes what it is told to. One thread. */
public final class FakeConnection {
    private final FakeTarget target;
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final PduDigest digest = new PduDigest();
    private final ArrayDeque<FakeCommand> arrived = new ArrayDeque<>();
    private PduFraming incoming = PduFraming.PLAIN;
    private PduFraming outgoing = PduFraming.PLAIN;

    /** Flips a bit in the digest of the next data that is sent. */
    public boolean spoilsDataDigest;

    /** Changes bytes before they are sent. */
    public UnaryOperator<byte[]> mutation = UnaryOperator.identity();

    int queueId;

    FakeConnection(FakeTarget target, Socket socket) throws IOException {
        this.target = target;
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
        socket.setTcpNoDelay(true);
    }

    /** Waits until the host says why it ends the connection. */
    public void readTermination() throws IOException {
        while (target.terminations.isEmpty()) {
            readPdu(null);
        }
    }

    void negotiate() throws IOException {
        ByteBuffer request = readPdu(PduType.IC_REQ);
        InitializeRequest.check(request, 0);
        boolean headers = InitializeRequest.wantsHeaderDigest(request, 0) && target.headerDigest;
        boolean data = InitializeRequest.wantsDataDigest(request, 0) && target.dataDigest;
        ByteBuffer response = ByteBuffer.allocate(InitializeResponse.SIZE);
        InitializeResponse.encode(
                response, 0, target.dataAlignment / 4 - 1, headers, data, target.maxH2cData);
        send(response);
        incoming = new PduFraming(headers, data, target.dataAlignment);
        outgoing =
                new PduFraming(
                        headers,
                        data,
                        PduFraming.alignmentOf(InitializeRequest.hostDataAlignment(request, 0)));
    }

    /** The next command; those that came while data was awaited first. */
    FakeCommand nextCommand() throws IOException {
        FakeCommand early = arrived.pollFirst();
        return early == null ? readCommand() : early;
    }

    private FakeCommand readCommand() throws IOException {
        ByteBuffer pdu = readPdu(PduType.CAPSULE_CMD);
        return toCommand(pdu);
    }

    private FakeCommand toCommand(ByteBuffer pdu) {
        ByteBuffer entry = ByteBuffer.allocate(SubmissionEntry.SIZE);
        entry.put(0, pdu, CommandCapsule.SUBMISSION_ENTRY, SubmissionEntry.SIZE);
        byte[] data = new byte[incoming.dataLength(pdu, 0, PduType.CAPSULE_CMD)];
        if (data.length > 0) {
            pdu.get(PduHeader.dataOffset(pdu, 0), data);
        }
        return new FakeCommand(queueId, entry, data);
    }

    /** Asks for a part of a write's data by an R2T, and waits for it. */
    public byte[] fetch(FakeCommand command, int offset, int length) throws IOException {
        askFor(command.id(), 7, offset, length);
        byte[] data = new byte[length];
        int got = 0;
        while (got < length) {
            ByteBuffer pdu = readPdu(null);
            if (PduHeader.type(pdu, 0) == PduType.CAPSULE_CMD.code()) {
                arrived.addLast(toCommand(pdu));
                continue;
            }
            DataPdu.check(pdu, 0, incoming, PduType.H2C_DATA);
            int size = (int) DataPdu.length(pdu, 0);
            boolean last = got + size == length;
            if (DataPdu.transferTag(pdu, 0) != 7
                    || DataPdu.commandId(pdu, 0) != command.id()
                    || DataPdu.offset(pdu, 0) != offset + got
                    || size > target.maxH2cData
                    || DataPdu.isLast(pdu, 0) != last) {
                throw new IOException("H2CData that does not answer the R2T");
            }
            pdu.get(PduHeader.dataOffset(pdu, 0), data, got, size);
            got += size;
        }
        return data;
    }

    /** Sends an R2T. */
    public void askFor(int commandId, int tag, int offset, int length) throws IOException {
        ByteBuffer pdu = ByteBuffer.allocate(64);
        ReadyToTransfer.encode(pdu, 0, outgoing, commandId, tag, offset, length);
        send(pdu.limit(outgoing.sealHeader(pdu, 0, PduType.R2T, digest)));
    }

    /** Sends a completion. */
    public void respond(int commandId, long result, int status) throws IOException {
        ByteBuffer pdu = ByteBuffer.allocate(64);
        outgoing.encodeHeader(pdu, 0, PduType.CAPSULE_RESP, 0, 0);
        CompletionEntry.encode(pdu, ResponseCapsule.COMPLETION_ENTRY, result, 0, commandId, status);
        send(pdu.limit(outgoing.sealHeader(pdu, 0, PduType.CAPSULE_RESP, digest)));
    }

    /** Sends data in one C2HData. */
    public void sendData(
            int commandId, int offset, byte[] data, int from, int length, boolean last, boolean ok)
            throws IOException {
        ByteBuffer pdu = ByteBuffer.allocate(outgoing.pduLength(PduType.C2H_DATA, length));
        DataPdu.encodeFromController(pdu, 0, outgoing, commandId, offset, length, last, ok);
        int at = outgoing.sealHeader(pdu, 0, PduType.C2H_DATA, digest);
        pdu.put(at, data, from, length);
        if (outgoing.dataDigest()) {
            int value = digest.of(pdu, at, length);
            LittleEndian.i32(pdu, at + length, spoilsDataDigest ? value ^ 1 : value);
            spoilsDataDigest = false;
        }
        send(pdu);
    }

    /** Sends a read's data in pieces as the target does, and its completion. */
    public void sendAll(FakeCommand command, byte[] data) throws IOException {
        for (int at = 0; at < data.length; at += target.c2hData) {
            int length = Math.min(target.c2hData, data.length - at);
            boolean last = at + length == data.length;
            sendData(command.id(), at, data, at, length, last, last && target.successFlag);
        }
        if (!target.successFlag || data.length == 0) {
            respond(command.id(), 0, 0);
        }
    }

    /** Sends bytes as they are. */
    public void send(ByteBuffer bytes) throws IOException {
        byte[] plain = new byte[bytes.remaining()];
        bytes.get(bytes.position(), plain);
        byte[] all = mutation.apply(plain);
        int step = target.sendPieces == 0 ? Math.max(1, all.length) : target.sendPieces;
        for (int at = 0; at < all.length; at += step) {
            out.write(all, at, Math.min(step, all.length - at));
            out.flush();
        }
    }

    /** Reads a whole PDU, checked. */
    ByteBuffer readPdu(@Nullable PduType expected) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(PduHeader.SIZE);
        in.readFully(head.array());
        PduType type = incoming.checkHeader(head, 0, PduType.Sender.HOST, 1 << 26);
        ByteBuffer pdu = ByteBuffer.allocate((int) PduHeader.pduLength(head, 0));
        pdu.put(head.array());
        in.readFully(pdu.array(), PduHeader.SIZE, pdu.capacity() - PduHeader.SIZE);
        pdu.clear();
        if (type == PduType.H2C_TERM_REQ) {
            target.terminations.add(
                    new FakeTarget.Termination(
                            TerminateRequest.status(pdu, 0), TerminateRequest.information(pdu, 0)));
            throw new EOFException("the host ended the connection");
        }
        if (expected != null && type != expected) {
            throw new IOException("a " + type + " instead of a " + expected);
        }
        incoming.checkHeaderDigest(pdu, 0, type, digest);
        checkDataDigest(pdu, type);
        return pdu;
    }

    private void checkDataDigest(ByteBuffer pdu, PduType type) throws MalformedPduException {
        int length = type.mayCarryData() ? incoming.dataLength(pdu, 0, type) : 0;
        if (length > 0 && incoming.dataDigest()) {
            int at = PduHeader.dataOffset(pdu, 0);
            if (digest.of(pdu, at, length) != LittleEndian.i32(pdu, at + length)) {
                throw new IllegalStateException("the host sent a wrong data digest");
            }
        }
    }

    public PduFraming outgoing() {
        return outgoing;
    }

    /** Ends the connection. */
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
