// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import io.crail.error.CrailException;

/** Something under way that an {@link Operation} can call off. */
@FunctionalInterface
public interface Cancellable {
    /**
     * Calls it off. When this returns, buffers that were handed in are not touched any more; its
     * future completes with the cause, on its strand.
     */
    void cancel(CrailException cause);
}
