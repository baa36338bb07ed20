// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Logs one line a second and counts the others: peers that misbehave must not fill the disk. Used
 * by one thread.
 */
final class RateLimitedLog {
    private static final long PERIOD = TimeUnit.SECONDS.toNanos(1);

    private final Logger log;
    private boolean used;
    private long last;
    private long suppressed;

    RateLimitedLog(Logger log) {
        this.log = log;
    }

    void warn(long nowNanos, String message) {
        if (isDue(nowNanos)) {
            log.warn("{}{}", message, leftOut());
        } else {
            log.debug("{}", message);
        }
    }

    void error(long nowNanos, String message, Throwable cause) {
        if (isDue(nowNanos)) {
            log.error("{}{}", message, leftOut(), cause);
        } else {
            log.debug("{}", message, cause);
        }
    }

    private boolean isDue(long nowNanos) {
        if (used && nowNanos - last < PERIOD) {
            suppressed++;
            return false;
        }
        used = true;
        last = nowNanos;
        return true;
    }

    private String leftOut() {
        String text = suppressed == 0 ? "" : " (" + suppressed + " lines left out before)";
        suppressed = 0;
        return text;
    }
}
