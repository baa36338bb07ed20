// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.probe;

import io.crail.error.ProtocolException;
import io.crail.protocol.config.Endpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * Opens a connection of NVMe/TCP, as whoever reads or writes flash does, and no more: the target
 * answers the request to initialize it before it knows who asks (NVMe/TCP Transport Specification,
 * ICReq and ICResp).
 */
public final class TargetProbe {
    /** Bytes of both PDUs. */
    private static final int LENGTH = 128;

    private static final byte INITIALIZE_REQUEST = 0;
    private static final byte INITIALIZE_RESPONSE = 1;

    private TargetProbe() {}

    /** Whether a target answers in time. */
    public static boolean answers(Endpoint target, Duration patience) {
        try {
            ask(target, (int) patience.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void ask(Endpoint target, int millis) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(target.host(), target.port()), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(request());
            byte[] answer = new byte[LENGTH];
            new DataInputStream(socket.getInputStream()).readFully(answer);
            if (answer[0] != INITIALIZE_RESPONSE || answer[2] != (byte) LENGTH) {
                throw new ProtocolException("no target of NVMe/TCP is at " + target);
            }
        }
    }

    /** Common header (type, flags, length of the header, offset, length), version 0, no digests. */
    private static byte[] request() {
        ByteBuffer pdu = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        pdu.put(0, INITIALIZE_REQUEST);
        pdu.put(2, (byte) LENGTH);
        pdu.putInt(4, LENGTH);
        return pdu.array();
    }
}
