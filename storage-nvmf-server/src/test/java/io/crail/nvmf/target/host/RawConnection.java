// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.pdu.CommandCapsule;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.InitializeRequest;
import io.crail.nvmf.wire.pdu.InitializeResponse;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A connection to a target that sends and receives single PDUs. For one thread. */
public final class RawConnection implements Closeable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final PduDigest digest = new PduDigest();
    private PduFraming outgoing = PduFraming.PLAIN;
    private PduFraming incoming = PduFraming.PLAIN;

    public RawConnection(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(address, PATIENCE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Sends bytes as they are. */
    public void sendBytes(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** ICReq and ICResp. */
    public Pdu initialize(boolean headerDigest, boolean dataDigest, int hostAlignment)
            throws IOException {
        sendBytes(initializeRequest(headerDigest, dataDigest, hostAlignment));
        Pdu answer = receive();
        assertThat(answer.type()).isEqualTo(PduType.IC_RESP);
        boolean header = InitializeResponse.hasHeaderDigest(answer.header(), 0);
        boolean data = InitializeResponse.hasDataDigest(answer.header(), 0);
        outgoing =
                new PduFraming(
                        header,
                        data,
                        PduFraming.alignmentOf(
                                InitializeResponse.controllerDataAlignment(answer.header(), 0)));
        incoming = new PduFraming(header, data, PduFraming.alignmentOf(hostAlignment));
        return answer;
    }

    public static byte[] initializeRequest(
            boolean headerDigest, boolean dataDigest, int hostAlignment) {
        ByteBuffer request = ByteBuffer.allocate(InitializeRequest.SIZE);
        InitializeRequest.encode(request, 0, hostAlignment, headerDigest, dataDigest, 0);
        return request.array();
    }

    /** The bytes of a command capsule, with data in it if that is not empty. */
    public byte[] capsule(ByteBuffer entry, byte[] data) {
        return capsule(outgoing, entry, data);
    }

    /** The same without digests. */
    public static byte[] plainCapsule(ByteBuffer entry, byte[] data) {
        return capsule(PduFraming.PLAIN, entry, data);
    }

    private static byte[] capsule(PduFraming framing, ByteBuffer entry, byte[] data) {
        ByteBuffer pdu = ByteBuffer.allocate(framing.pduLength(PduType.CAPSULE_CMD, data.length));
        framing.encodeHeader(pdu, 0, PduType.CAPSULE_CMD, 0, data.length);
        pdu.put(CommandCapsule.SUBMISSION_ENTRY, entry, 0, SubmissionEntry.SIZE);
        PduDigest digest = new PduDigest();
        int at = framing.sealHeader(pdu, 0, PduType.CAPSULE_CMD, digest);
        addData(framing, digest, pdu, at, data, 0, data.length);
        return pdu.array();
    }

    /** The bytes of an H2CData. */
    public byte[] data(int commandId, int tag, byte[] data, int offset, int length, boolean last) {
        ByteBuffer pdu = ByteBuffer.allocate(outgoing.pduLength(PduType.H2C_DATA, length));
        DataPdu.encodeFromHost(pdu, 0, outgoing, commandId, tag, offset, length, last);
        int at = outgoing.sealHeader(pdu, 0, PduType.H2C_DATA, digest);
        addData(outgoing, digest, pdu, at, data, offset, length);
        return pdu.array();
    }

    private static void addData(
            PduFraming framing,
            PduDigest digest,
            ByteBuffer pdu,
            int at,
            byte[] data,
            int offset,
            int length) {
        pdu.put(at, data, offset, length);
        if (length > 0 && framing.dataDigest()) {
            LittleEndian.i32(pdu, at + length, digest.of(pdu, at, length));
        }
    }

    /** The next PDU, its digests checked. */
    public Pdu receive() throws IOException {
        byte[] common = new byte[PduHeader.SIZE];
        in.readFully(common);
        ByteBuffer begin = ByteBuffer.wrap(common);
        PduType type = incoming.checkHeader(begin, 0, PduType.Sender.CONTROLLER, 64 << 20);
        ByteBuffer whole = ByteBuffer.allocate((int) PduHeader.pduLength(begin, 0));
        whole.put(0, common);
        in.readFully(whole.array(), common.length, whole.capacity() - common.length);
        incoming.checkHeaderDigest(whole, 0, type, digest);
        int length = incoming.dataLength(whole, 0, type);
        int at = type.mayCarryData() ? PduHeader.dataOffset(whole, 0) : type.headerLength();
        byte[] data = new byte[length];
        if (length > 0) {
            whole.get(at, data);
        }
        if (length > 0 && incoming.dataDigestSize(type) > 0) {
            assertThat(LittleEndian.i32(whole, at + length))
                    .as("data digest")
                    .isEqualTo(digest.of(whole, at, length));
        }
        return new Pdu(type, whole, data);
    }

    /** Whether the target has closed: nothing more comes. */
    public boolean isAtEnd() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true; // reset
        }
    }

    /** Takes what still comes until the target has closed. */
    public void readToEnd() throws IOException {
        byte[] buffer = new byte[1 << 16];
        try {
            while (in.read(buffer) >= 0) {
                // nobody asks what it was
            }
        } catch (SocketException e) {
            return; // reset
        }
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
