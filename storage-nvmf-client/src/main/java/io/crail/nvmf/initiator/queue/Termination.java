// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.error.NvmeProtocolException;
import io.crail.nvmf.wire.pdu.FatalErrorStatus;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.TerminateRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests to terminate a connection, in both directions (TCP transport 1.0, section 3.5). Owned by
 * the poller.
 */
final class Termination {
    private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

    private Termination() {}

    /** What a request of the controller is to the commands of the queue. */
    static NvmeProtocolException received(String queueName, ByteBuffer buffer, int at) {
        int code = TerminateRequest.status(buffer, at);
        FatalErrorStatus status = FatalErrorStatus.find(code, PduType.Sender.CONTROLLER);
        return new NvmeProtocolException(
                queueName
                        + ": the controller ended the connection, blaming this host: "
                        + (status == null ? "status " + code : status.toString())
                        + ", information "
                        + Integer.toHexString(TerminateRequest.information(buffer, at))
                        + "h");
    }

    /** Tells the controller why the connection ends, as far as that is possible without waiting. */
    static void send(
            QueuePair queue,
            SocketChannel channel,
            MalformedPduException fault,
            PduReceiver receiver) {
        ByteBuffer request = ByteBuffer.allocateDirect(TerminateRequest.MAX_SIZE);
        int size =
                TerminateRequest.encode(
                        request,
                        0,
                        PduType.H2C_TERM_REQ,
                        fault.status(),
                        fault.information(),
                        receiver.staging(),
                        receiver.start(),
                        receiver.quotable());
        queue.lock().lock();
        try {
            if (queue.maySendPdu()) {
                channel.write(request.limit(size));
            }
        } catch (IOException e) {
            LOG.debug("{}: the reason of the end could not be sent", queue.name(), e);
        } finally {
            queue.lock().unlock();
        }
    }
}
