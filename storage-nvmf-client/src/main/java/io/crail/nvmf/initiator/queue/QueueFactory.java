// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.engine.Engine;

/** Makes the queues of one kind of network. Thread-safe. */
public interface QueueFactory extends AutoCloseable {
    /** Over TCP. Keeps nothing. */
    QueueFactory TCP =
            new QueueFactory() {
                @Override
                public int maxTransferBytes() {
                    return Integer.MAX_VALUE;
                }

                @Override
                public CommandQueue newQueue(
                        Engine engine, QueueSettings settings, int id, QueueOwner owner) {
                    return new QueuePair(engine, settings, owner);
                }

                @Override
                public void close() {}
            };

    /** Most data of one command, whatever the controller takes. */
    int maxTransferBytes();

    /**
     * A queue that is not connected yet.
     *
     * @param id 0 for the admin queue
     */
    CommandQueue newQueue(Engine engine, QueueSettings settings, int id, QueueOwner owner);

    /** Ends what the queues share, after all of them have ended. Idempotent. */
    @Override
    void close();
}
