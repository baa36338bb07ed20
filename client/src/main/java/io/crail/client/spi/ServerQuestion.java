// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import io.crail.error.CrailException;
import io.crail.protocol.message.Message;

/**
 * A question to a storage server that moves no bytes of blocks. The data path calls back at most
 * once, on any thread.
 */
public abstract class ServerQuestion {
    private final Message request;

    protected ServerQuestion(Message request) {
        this.request = request;
    }

    public final Message request() {
        return request;
    }

    /** Milliseconds until nobody waits for it any more. */
    public abstract int remainingMillis();

    /** The control part of the answer, which belongs to the question now. */
    public abstract void answered(byte[] control);

    /** There is no answer: the server refused, or could not be reached. */
    public abstract void failed(CrailException cause);
}
