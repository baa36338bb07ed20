// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A submission and a completion queue: one connection to a controller, over whatever carries it. At
 * most {@link QueueSettings#places} commands are with the controller, and a limited number waits;
 * more are refused. Each has a time to be answered, and those that wait have one, too. Whoever
 * implements this ends each command once, by {@link Engine#complete}, and not before nothing
 * touches its data any more. It tells its {@link QueueOwner} of its end before those of its
 * commands.
 *
 * <p>Thread-safe; nothing blocks.
 */
public interface CommandQueue {
    /** For messages. */
    String name();

    /** Connects; the future is done when commands may be posted. Once. */
    CompletableFuture<Void> open(InetSocketAddress address);

    /** Posts a command, which is sent soon, or waits for a place. */
    void post(Command command);

    /**
     * The data of a command is another buffer now, with the same bytes: when this returns, nothing
     * touches the one before. By the engine's poller.
     */
    void replaceData(Command command);

    /**
     * Large data goes through memory that the controller has mapped, too, from now on. Only for
     * queues that have asked their owner for it.
     *
     * @param memory for this queue alone, a multiple of 64 KiB; null if there is none now
     */
    default void share(@Nullable ByteBuffer memory) {
        throw new UnsupportedOperationException(name() + " has not asked for memory");
    }

    /**
     * Whether the {@link Rider} of a command with so many bytes of data would go along now. It may
     * stay behind nevertheless, if the queue ends or its memory is gone when the command is sent.
     */
    default boolean takesRiders(int bytes) {
        return false;
    }

    /** Ends the connection, soon. */
    void giveUp(NvmeException cause);

    /** Ends the connection; commands that are under way fail. The future is done when it is. */
    CompletableFuture<Void> close();

    /** Who hands out the ends of commands. */
    Engine engine();
}
