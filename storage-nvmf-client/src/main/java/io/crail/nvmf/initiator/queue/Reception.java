// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeProtocolException;
import io.crail.nvmf.wire.pdu.FatalErrorStatus;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduFraming;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives for a queue, and says what it means when that fails: a peer that breaks the rules is
 * told so, and every failure ends the connection. Owned by the poller.
 */
final class Reception {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);

    private final QueuePair queue;
    private final Runnable onDamage;
    private final QueueEvents events;
    private final PduReceiver receiver;

    /**
     * @param onDamage run for each header with a wrong digest
     */
    Reception(QueuePair queue, QueueEvents events, Runnable onDamage) {
        this.queue = queue;
        this.events = events;
        this.onDamage = onDamage;
        this.receiver = new PduReceiver(events);
    }

    void setFraming(PduFraming framing) {
        receiver.setFraming(framing);
    }

    /** What a place receives to is another buffer now. By the poller. */
    void replaced(Place changed) {
        receiver.replaced(changed);
    }

    /**
     * Receives what has arrived, and sends what that makes possible.
     *
     * @return whether there was anything
     */
    boolean receive(SocketChannel channel) {
        try {
            events.begins();
            int count = receiver.receive(channel);
            if (count > 0) {
                queue.flush(); // what answers asked for, and commands that got their places
            } else if (count < 0) {
                queue.end(
                        new NvmeConnectionLostException(
                                queue.name() + ": the controller closed the connection"));
            }
            if (receiver.isPaused()) {
                queue.receiveSoon();
            }
            return count != 0;
        } catch (MalformedPduException e) {
            if (e.status() == FatalErrorStatus.HEADER_DIGEST_ERROR) {
                onDamage.run();
            }
            Termination.send(queue, channel, e, receiver);
            queue.end(
                    new NvmeProtocolException(
                            queue.name() + ": the controller sent " + e.getMessage(), e));
        } catch (NvmeException e) {
            queue.end(e);
        } catch (IOException e) {
            queue.end(
                    queue.isOpen()
                            ? queue.lost(e)
                            : new NvmeConnectException(queue.name() + ": " + e, e));
        } catch (RuntimeException e) {
            LOG.error("{}: a fault of the initiator ends the connection", queue.name(), e);
            queue.end(
                    new NvmeConnectionLostException(
                            queue.name() + " ended by a fault of the initiator", e));
        }
        return true;
    }
}
