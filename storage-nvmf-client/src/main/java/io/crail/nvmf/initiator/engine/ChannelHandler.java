// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

/** The owner of a channel. All but {@link #flush} are called by the poller only. */
public interface ChannelHandler {
    /** What {@link #look} returns when no message can be on its way. */
    int EXPECTS_NOTHING = -1;

    /** The channel is ready for some of these operations of {@code SelectionKey}. */
    void ready(int operations);

    /**
     * Looks for messages without having been told that there are any.
     *
     * @return how many there were, or {@link #EXPECTS_NOTHING}
     */
    int look();

    /** Sends what was posted and left, see {@link Engine#leave}; by any thread. */
    void flush();
}
