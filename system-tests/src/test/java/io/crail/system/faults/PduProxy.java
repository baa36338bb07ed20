// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stands between hosts and an NVMe/TCP target, passes whole PDUs on, and flips a bit where it is
 * told to. Lengths and types stay as they are, so that both ends stay in step.
 */
final class PduProxy implements AutoCloseable {
    private static final int LARGEST = 8 << 20;

    /** Data of less is a structure, or a record of checksums. */
    private static final int BLOCK_DATA = 16 << 10;

    /** Which part of PDUs is damaged. */
    enum Part {
        HEADER,
        DATA
    }

    /**
     * What is to be damaged.
     *
     * @param toTarget the direction of the PDUs
     * @param times how many
     */
    record Damage(boolean toTarget, Part part, AtomicInteger times) {}

    private final ServerSocket listener = new ServerSocket();
    private final InetSocketAddress target;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Damage> damage = new AtomicReference<>();
    private final AtomicInteger done = new AtomicInteger();

    PduProxy(InetSocketAddress at, InetSocketAddress target) throws IOException {
        this.target = target;
        listener.bind(at);
        start(this::accept);
    }

    /** Flips a bit in each of the next PDUs of a kind that carry, or are about, data of blocks. */
    void damageNext(boolean toTarget, Part part, int times) {
        damage.set(new Damage(toTarget, part, new AtomicInteger(times)));
    }

    /** Passes everything on as it is. */
    void repair() {
        damage.set(null);
    }

    /** PDUs that were damaged so far. */
    int damaged() {
        return done.get();
    }

    private static void start(Runnable run) {
        Thread thread = new Thread(run, "pdu-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket host = listener.accept();
                Socket behind = new Socket();
                sockets.add(host);
                sockets.add(behind);
                host.setTcpNoDelay(true);
                behind.setTcpNoDelay(true);
                behind.connect(target);
                start(() -> pass(host, behind, true));
                start(() -> pass(behind, host, false));
            }
        } catch (IOException e) {
            close();
        }
    }

    /** Until one end closes; then both are. */
    private void pass(Socket from, Socket to, boolean toTarget) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            OutputStream out = to.getOutputStream();
            byte[] header = new byte[PduHeader.SIZE];
            while (true) {
                in.readFully(header);
                long length = PduHeader.pduLength(ByteBuffer.wrap(header), 0);
                if (length < PduHeader.SIZE || length > LARGEST) {
                    throw new IOException("a PDU of " + length + " bytes");
                }
                byte[] pdu = new byte[(int) length];
                System.arraycopy(header, 0, pdu, 0, header.length);
                in.readFully(pdu, header.length, pdu.length - header.length);
                spoil(pdu, toTarget);
                out.write(pdu);
            }
        } catch (IOException e) {
            // The other end has gone; so does this one.
        }
    }

    private void spoil(byte[] pdu, boolean toTarget) {
        Damage wanted = damage.get();
        if (wanted == null || wanted.toTarget != toTarget) {
            return;
        }
        ByteBuffer buffer = ByteBuffer.wrap(pdu);
        int dataAt = PduHeader.dataOffset(buffer, 0);
        boolean carries = dataAt > 0 && pdu.length - dataAt >= BLOCK_DATA;
        boolean data = isData(PduHeader.type(buffer, 0)) && carries;
        if (data && wanted.times.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            int at = wanted.part == Part.HEADER ? PduHeader.SIZE : dataAt + 5000;
            pdu[at] ^= 0x10;
            done.incrementAndGet();
        }
    }

    private static boolean isData(int type) {
        return type == PduType.C2H_DATA.code() || type == PduType.H2C_DATA.code();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
