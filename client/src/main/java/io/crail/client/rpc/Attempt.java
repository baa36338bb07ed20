// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.client.spi.Exchange;
import io.crail.client.spi.RpcChannel;
import io.crail.error.CrailException;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A call with an id: the frame that goes out, again with the same id if a connection breaks, until
 * it is answered.
 */
final class Attempt extends Exchange {
    private final Call call;
    private final Session session;
    private @Nullable RpcChannel channel;
    private int sends;
    private final boolean awaitedAlone;
    private @Nullable ByteBuffer received;

    Attempt(long id, Call call, Session session) {
        super(
                id,
                call.message().type().wire(),
                call.isMutation() ? FrameHeader.FLAG_MUTATION : 0,
                call.control(),
                call.payload());
        this.call = call;
        this.session = session;
        this.awaitedAlone = call.operation().isAwaitedAlone();
    }

    @Override
    public boolean isAwaitedAlone() {
        return awaitedAlone;
    }

    Call call() {
        return call;
    }

    /** The channel it was given to last. Guarded, as is {@link #sends}, by the link's lock. */
    @Nullable RpcChannel channel() {
        return channel;
    }

    /** Times it was given to a channel. */
    int sends() {
        return sends;
    }

    void givenTo(RpcChannel next) {
        channel = next;
        sends++;
    }

    /** Not a byte of it left: the channel gave it back untouched. */
    void givenBack() {
        channel = null;
        sends--;
    }

    @Override
    public long session() {
        return session.id();
    }

    @Override
    public long acknowledged() {
        return session.acknowledged();
    }

    @Override
    public int remainingMillis() {
        return call.operation().remainingMillis();
    }

    @Override
    public @Nullable ByteBuffer payloadTarget(int status, int length) {
        if (call.isCancelled() || length > ProtocolLimits.MAX_PAYLOAD) {
            return null;
        }
        received = ByteBuffer.allocate(length);
        return received;
    }

    /** The payload that came with the answer. */
    @Nullable ByteBuffer received() {
        ByteBuffer payload = received;
        return payload == null ? null : payload.flip();
    }

    @Override
    public void answered(int status, long epoch, byte[] control) {
        session.answered(this, status, epoch, control);
    }

    @Override
    public void failed(CrailException cause) {
        // The session hears of the connection's end and sends the attempt again.
    }
}
