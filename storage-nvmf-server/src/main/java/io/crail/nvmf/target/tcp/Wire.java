// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduFraming;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket of a connection: reads what is there, writes what is to be sent, and asks the selector
 * for what it waits for. What peers do wrong, and what goes wrong with the socket, ends here and is
 * told to the connection. For the event loop.
 */
final class Wire implements EventLoop.Selected {
    private static final Logger LOG = LoggerFactory.getLogger(Wire.class);

    /** How often one turn reads from one connection, so that others have their turn. */
    private static final int READS_PER_TURN = 8;

    private final Connection connection;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Receiver receiver;
    private final Transmitter transmitter;
    private final Patience patience;

    /** How often something came, the end included. */
    private long heard;

    Wire(
            Connection connection,
            SocketChannel channel,
            Receiver receiver,
            Transmitter transmitter,
            Patience patience)
            throws ClosedChannelException {
        this.connection = connection;
        this.channel = channel;
        this.receiver = receiver;
        this.transmitter = transmitter;
        this.patience = patience;
        this.key = channel.register(connection.loop().selector(), SelectionKey.OP_READ, this);
    }

    /** What may find the peer at fault. */
    private interface Input {
        void run() throws IOException;
    }

    private void guarded(Input input) {
        try {
            input.run();
        } catch (MalformedPduException e) {
            connection.onFault(e, receiver);
        } catch (IOException e) {
            connection.closeNow("its socket failed: " + e);
        } catch (RuntimeException e) {
            LOG.error("A connection failed by a fault of the target", e);
            connection.closeNow("of a fault of the target");
        }
    }

    @Override
    public void onSelected() {
        if (!key.isValid()) {
            return;
        }
        if (key.isWritable()) {
            connection.loop().markDirty(connection);
        }
        if (key.isReadable()) {
            guarded(this::readInput);
        }
    }

    /**
     * Reads what is there without having been selected, if something is waited for.
     *
     * @return whether something was there
     */
    boolean look() {
        boolean wanted =
                key.isValid()
                        && connection.isOpen()
                        && (key.interestOps() & SelectionKey.OP_READ) != 0;
        long before = heard;
        if (wanted) {
            guarded(this::readInput);
        }
        return heard != before || !key.isValid();
    }

    private void readInput() throws IOException {
        if (!connection.isOpen()) {
            drop();
            return;
        }
        for (int turn = 0; turn < READS_PER_TURN && connection.isOpen(); turn++) {
            long count = receiver.read(channel);
            if (count != 0) {
                heard++;
                connection.loop().lastHeard().heard(this);
            }
            if (count < 0) {
                connection.closeNow("its peer closed it");
                return;
            }
            if (count > 0) {
                patience.movedIn();
                connection.onHeard();
                receiver.parse();
            }
            if (!receiver.isFull() || receiver.isRefused()) {
                break;
            }
        }
        updateInterest();
    }

    /** Reads what nobody wants any more, until the peer has closed. */
    private void drop() throws IOException {
        ByteBuffer buffer = receiver.buffer();
        for (int turn = 0; turn < READS_PER_TURN; turn++) {
            int count = channel.read(buffer.clear());
            if (count < 0) {
                connection.closeNow("its peer closed it");
                return;
            }
            if (count < buffer.capacity()) {
                return;
            }
        }
    }

    /** Goes on with a header that was refused for lack of memory; whether it was taken now. */
    boolean retry() {
        if (!receiver.isRefused()) {
            return false;
        }
        guarded(
                () -> {
                    receiver.parse();
                    updateInterest();
                });
        return !receiver.isRefused();
    }

    private void updateInterest() {
        if (!key.isValid()) {
            return;
        }
        int read = receiver.isRefused() && connection.isOpen() ? 0 : SelectionKey.OP_READ;
        int write = transmitter.isEmpty() ? 0 : SelectionKey.OP_WRITE;
        if (key.interestOps() != (read | write)) {
            key.interestOps(read | write);
        }
    }

    /** Writes what the socket takes. */
    void flush() {
        guarded(
                () -> {
                    if (transmitter.flush(channel) > 0) {
                        patience.movedOut();
                    }
                    if (!connection.isOpen() && transmitter.isEmpty()) {
                        channel.shutdownOutput();
                    }
                    updateInterest();
                });
    }

    /** From now on PDUs are framed so, each way. */
    void framing(PduFraming incoming, PduFraming outgoing) {
        receiver.framing(incoming);
        transmitter.framing(outgoing);
    }

    void close() {
        connection.loop().lastHeard().closed(this);
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Closing a connection failed: {}", e.toString());
        }
        transmitter.clear();
    }
}
