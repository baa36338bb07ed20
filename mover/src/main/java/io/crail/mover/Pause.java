// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.mover;

/** How a mover waits, so that a test can let time pass. */
@FunctionalInterface
interface Pause {
    void nanos(long nanos) throws InterruptedException;
}
