// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.local.LocalEndpoint;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client's or storage server's connection, whatever the transport. Every method is for the
 * server's thread, during calls of the {@link RequestHandler} or tasks of {@link
 * RpcServer#execute}.
 *
 * <p>A request may be answered at once or by any later call, in any order; one reply is written at
 * a time. Replies to a closed connection are accepted and go nowhere, so that who answers late need
 * not ask.
 */
public abstract class Connection {
    private @Nullable Object attachment;

    /** For transports. */
    protected Connection() {}

    /** What the handler attached, or null. */
    public final @Nullable Object attachment() {
        return attachment;
    }

    /** Attaches the handler's own state of this connection. */
    public final void attach(@Nullable Object newAttachment) {
        this.attachment = newAttachment;
    }

    /** Address of the peer, for logs; of our Unix socket, if the peer came by that. */
    public abstract SocketAddress remoteAddress();

    /** Where the peer, if it is on this host, finds the same server over a Unix socket. */
    public LocalEndpoint local() {
        return LocalEndpoint.NONE;
    }

    /** Whether replies still reach anybody. */
    public abstract boolean isOpen();

    /**
     * The hello is complete: frames up to {@code maxFrame} bytes are taken from now on, and the
     * hello timeout no longer applies.
     */
    public abstract void established(int maxFrame);

    /**
     * Starts a reply and returns the writer of its control part. Owned by the connection; to be
     * used until {@link #endReply} or {@link #abandonReply}, and only by appending.
     */
    public abstract WireWriter beginReply(int type, long requestId, long traceId);

    /** The control part ends here; what is written from now on is payload. */
    public abstract void beginPayload();

    /**
     * Completes the reply. It leaves after the turn's {@link RequestHandler#batchEnd}.
     *
     * @param status 0 for success, else a wire error code
     */
    public abstract void endReply(int status, long epoch);

    /** Completes the reply with a payload, of which the remaining bytes are copied. */
    public final void endReply(int status, long epoch, ByteBuffer payload) {
        appendPayload(payload);
        endReply(status, epoch);
    }

    /** Forgets the reply that was begun, if there is one. */
    public abstract void abandonReply();

    /** Answers with an error, forgetting a reply that was begun. */
    public final void replyError(
            int type, long requestId, long traceId, long epoch, CrailException error) {
        replyError(
                type, requestId, traceId, epoch, error.code(), String.valueOf(error.getMessage()));
    }

    /** Answers with an error, forgetting a reply that was begun. */
    public final void replyError(
            int type, long requestId, long traceId, long epoch, ErrorCode code, String message) {
        abandonReply();
        WireWriter writer = beginReply(type, requestId, traceId);
        ErrorMessage.write(writer, message);
        endReply(code.wire(), epoch);
    }

    /** Closes at once; replies that have not left are lost. */
    public abstract void close(String reason);

    /** Takes no more requests, and closes when all replies have left, within a bound. */
    public abstract void closeAfterReplies(String reason);

    /** Appends the payload to the reply that was begun; nothing if the connection was closed. */
    protected abstract void appendPayload(ByteBuffer payload);
}
