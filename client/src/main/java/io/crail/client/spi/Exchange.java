// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import io.crail.error.CrailException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request frame and the place where its answer goes. A channel calls the methods of the second
 * half, without locks of its own, on the polling thread.
 */
public abstract class Exchange {
    private final long requestId;
    private final int type;
    private final int flags;
    private final byte[] control;
    private final @Nullable ByteBuffer payload;

    /**
     * @param control control part; owned by the exchange
     * @param payload sent from its position to its limit, which stay where they are. A direct
     *     buffer is read by the channel until the answer or until {@link RpcChannel#withdraw}
     *     returned; a heap buffer, for small payloads, is copied and must not change any more
     */
    protected Exchange(
            long requestId, int type, int flags, byte[] control, @Nullable ByteBuffer payload) {
        this.requestId = requestId;
        this.type = type;
        this.flags = flags;
        this.control = control;
        this.payload = payload;
    }

    public final long requestId() {
        return requestId;
    }

    /** Message type, by its wire code. */
    public final int type() {
        return type;
    }

    /** Header flags. */
    public final int flags() {
        return flags;
    }

    public final byte[] control() {
        return control;
    }

    public final @Nullable ByteBuffer payload() {
        return payload;
    }

    /**
     * Whether the thread that posted it waits for this answer and for no other, so that it posts
     * nothing before the answer, and perhaps the next one soon after.
     */
    public boolean isAwaitedAlone() {
        return false;
    }

    /** Session id for the header, asked for when the frame is sent. */
    public abstract long session();

    /** Acknowledged mutation id for the header, asked for when the frame is sent. */
    public abstract long acknowledged();

    /** Remaining deadline for the header, asked for when the frame is sent. */
    public abstract int remainingMillis();

    /**
     * Where the payload of the answer goes: a heap or direct buffer, filled from its position; its
     * position is moved. Null drops the payload, as does a buffer that is too small.
     *
     * <p>Called under the channel's receive lock.
     */
    public abstract @Nullable ByteBuffer payloadTarget(int status, int length);

    /** The answer is there. {@code control} belongs to the exchange now. */
    public abstract void answered(int status, long epoch, byte[] control);

    /** There will be no answer on this channel; whether the request arrived is unknown. */
    public abstract void failed(CrailException cause);
}
