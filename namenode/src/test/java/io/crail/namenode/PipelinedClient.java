// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.FrameLink.Answer;
import io.crail.protocol.message.Message;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongFunction;

/**
 * Sends requests of one session in windows: a window is sent in one write, then its answers are
 * read while the next one is under way. Not thread-safe.
 */
final class PipelinedClient implements Closeable {
    private static final int WINDOW = 64;

    private final WireClient wire;

    PipelinedClient(WireClient wire) {
        this.wire = wire;
        wire.setAcknowledging(false);
    }

    /** A request and its payload. */
    record Item(Message message, byte[] payload) {}

    /** Sends items {@code from} up to {@code to}; every answer must be a success. */
    void run(long from, long to, LongFunction<Item> items) throws IOException {
        int unanswered = 0;
        for (long next = from; next < to || unanswered > 0; ) {
            int window = (int) Math.min(WINDOW, to - next);
            if (window > 0) {
                ByteArrayOutputStream frames = new ByteArrayOutputStream(WINDOW * 256);
                for (int i = 0; i < window; i++) {
                    Item item = items.apply(next++);
                    frames.writeBytes(wire.frame(wire.nextId(), item.message, item.payload));
                }
                wire.connection().send(frames.toByteArray());
            }
            for (int i = 0; i < unanswered; i++) {
                Answer answer = wire.connection().receive().orThrow();
                wire.acknowledge(answer.id());
            }
            unanswered = window;
        }
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
