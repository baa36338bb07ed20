// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The payload that a connection is receiving: where its bytes go and what to do when they are
 * there. Without destination they are dropped, for requests that were refused already. Used by one
 * event loop.
 */
final class Payload {
    private final @Nullable ByteBuffer destination;
    private final Runnable whenComplete;
    private final Runnable whenAbandoned;
    private final int length;
    private int received;

    private Payload(
            @Nullable ByteBuffer destination,
            int length,
            Runnable whenComplete,
            Runnable whenAbandoned) {
        this.destination = destination;
        this.length = length;
        this.whenComplete = whenComplete;
        this.whenAbandoned = whenAbandoned;
    }

    /** Exactly one of the two actions is run, once. */
    static Payload to(ByteBuffer destination, Runnable whenComplete, Runnable whenAbandoned) {
        return new Payload(destination, destination.remaining(), whenComplete, whenAbandoned);
    }

    static Payload dropped(int length) {
        return new Payload(null, length, () -> {}, () -> {});
    }

    int remaining() {
        return length - received;
    }

    /** A buffer over the missing part of the destination, or null if there is none. */
    @Nullable ByteBuf target() {
        return destination == null
                ? null
                : Unpooled.wrappedBuffer(destination.slice(received, remaining())).setIndex(0, 0);
    }

    /** Bytes were received into the last target. */
    void advance(int bytes) {
        assert bytes <= remaining();
        received += bytes;
    }

    /** Takes bytes that came in together with their header. */
    void copy(ByteBuffer source, int at, int bytes) {
        if (destination != null) {
            destination.put(received, source, at, bytes);
        }
        advance(bytes);
    }

    void complete() {
        assert remaining() == 0;
        whenComplete.run();
    }

    void abandon() {
        whenAbandoned.run();
    }
}
