// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

/** A point in time that may be set or not. Right across the overflow of the nanosecond clock. */
final class Deadline {
    private boolean running;
    private long at;

    void start(long nowNanos, long nanos) {
        running = true;
        at = nowNanos + nanos;
    }

    void startIfStopped(long nowNanos, long nanos) {
        if (!running) {
            start(nowNanos, nanos);
        }
    }

    void stop() {
        running = false;
    }

    boolean isPast(long nowNanos) {
        return running && nowNanos - at >= 0;
    }
}
