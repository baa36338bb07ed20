// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.host;

import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.CompletionEntry;
import io.crail.nvmf.wire.command.ConnectCommand;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.ReadyToTransfer;
import io.crail.nvmf.wire.pdu.ResponseCapsule;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A queue over a raw connection. Commands are sent one by one or many at a time; completions are
 * received in the order in which they come. For one thread.
 */
public final class TestQueue implements Closeable {
    private static final int MAX_DATA_PDU = 128 << 10;

    private final RawConnection connection;
    private final Map<Integer, byte[]> outgoing = new HashMap<>();
    private final Map<Integer, byte[]> incoming = new HashMap<>();
    private int nextId = 1;

    public TestQueue(RawConnection connection) {
        this.connection = connection;
    }

    public RawConnection connection() {
        return connection;
    }

    /** Sends Connect. */
    public Completion connect(
            int queueId,
            int entries,
            int attributes,
            int keepAliveMillis,
            UUID hostId,
            int controllerId,
            String subsystem,
            String host)
            throws IOException {
        ByteBuffer entry = entry();
        ConnectCommand.encode(entry, 0, nextId(), queueId, entries, attributes, keepAliveMillis);
        ByteBuffer data = ByteBuffer.allocate(ConnectData.SIZE);
        ConnectData.encode(data, 0, hostId, controllerId, subsystem, host);
        return write(entry, data.array(), true);
    }

    public static ByteBuffer entry() {
        return ByteBuffer.allocate(SubmissionEntry.SIZE);
    }

    public int nextId() {
        return nextId++ & 0xFFFF;
    }

    /** A command without data. */
    public Completion plain(ByteBuffer entry) throws IOException {
        startPlain(entry);
        return completion();
    }

    /** Sends a command without data, or whose data goes another way. */
    public void startPlain(ByteBuffer entry) throws IOException {
        connection.sendBytes(connection.capsule(entry, new byte[0]));
    }

    /** A command with data for the target. */
    public Completion write(ByteBuffer entry, byte[] data, boolean inCapsule) throws IOException {
        startWrite(entry, data, inCapsule);
        return completion();
    }

    /** Sends the capsule of a command with data for the target. */
    public void startWrite(ByteBuffer entry, byte[] data, boolean inCapsule) throws IOException {
        if (inCapsule) {
            SglDescriptor.encodeInCapsule(entry, SubmissionEntry.SGL, data.length);
        } else {
            SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, data.length);
            outgoing.put(SubmissionEntry.commandId(entry, 0), data);
        }
        connection.sendBytes(connection.capsule(entry, inCapsule ? data : new byte[0]));
    }

    /** A command with data for the host. */
    public Completion read(ByteBuffer entry, int length) throws IOException {
        startRead(entry, length);
        return completion();
    }

    public void startRead(ByteBuffer entry, int length) throws IOException {
        SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, length);
        incoming.put(SubmissionEntry.commandId(entry, 0), new byte[length]);
        connection.sendBytes(connection.capsule(entry, new byte[0]));
    }

    /** Waits for a completion; sends and takes data meanwhile. */
    public Completion completion() throws IOException {
        while (true) {
            Pdu pdu = connection.receive();
            ByteBuffer header = pdu.header();
            switch (pdu.type()) {
                case CAPSULE_RESP -> {
                    int at = ResponseCapsule.COMPLETION_ENTRY;
                    int id = CompletionEntry.commandId(header, at);
                    outgoing.remove(id);
                    byte[] data = incoming.remove(id);
                    return new Completion(
                            id,
                            CompletionEntry.status(header, at),
                            CompletionEntry.result(header, at),
                            CompletionEntry.submissionHead(header, at),
                            data == null ? new byte[0] : data);
                }
                case R2T -> sendData(header);
                case C2H_DATA -> {
                    int id = DataPdu.commandId(header, 0);
                    byte[] into = incoming.get(id);
                    if (into == null) {
                        throw new IOException(
                                "data for command " + id + ", which is not under way");
                    }
                    System.arraycopy(
                            pdu.data(),
                            0,
                            into,
                            (int) DataPdu.offset(header, 0),
                            pdu.data().length);
                    if (DataPdu.isSuccess(header, 0)) {
                        incoming.remove(id);
                        return new Completion(id, 0, 0, -1, into);
                    }
                }
                default -> throw new IOException("a " + pdu.type() + " from the target");
            }
        }
    }

    private void sendData(ByteBuffer header) throws IOException {
        int id = ReadyToTransfer.commandId(header, 0);
        byte[] data = outgoing.get(id);
        if (data == null) {
            throw new IOException("an R2T for command " + id + ", which is not under way");
        }
        int at = (int) ReadyToTransfer.offset(header, 0);
        int end = at + (int) ReadyToTransfer.length(header, 0);
        while (at < end) {
            int step = Math.min(MAX_DATA_PDU, end - at);
            connection.sendBytes(
                    connection.data(
                            id,
                            ReadyToTransfer.transferTag(header, 0),
                            data,
                            at,
                            step,
                            at + step == end));
            at += step;
        }
    }

    /** Waits for the request to terminate and the end of the connection. */
    public int terminated() throws IOException {
        Pdu pdu = connection.receive();
        if (pdu.type() != PduType.C2H_TERM_REQ) {
            throw new IOException("a " + pdu.type() + " instead of a request to terminate");
        }
        return LittleEndian.u16(pdu.header(), 8);
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
