// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.memory;

/**
 * What one host holds of a pool: the data of its commands, from when it is found memory for until
 * the medium or the socket has taken it. A host decides by itself how long that is: it may ask to
 * write and not send, or to read and not receive.
 *
 * <p>So it may hold no more than what is left to the others when it takes: {@code n} hosts that
 * hold all they can hold equal parts, and one part of {@code n + 1} is free for who comes next. A
 * host that holds nothing takes what there is. The count is guarded by the pool.
 */
public final class DataShare {
    private long held;

    /** Whether it may take so much while that is free. */
    boolean mayTake(long bytes, long free) {
        return held == 0 || held + bytes <= free;
    }

    void took(long bytes) {
        held += bytes;
    }

    void gaveBack(long bytes) {
        held -= bytes;
    }
}
