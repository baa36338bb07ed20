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
        if (used && nowNanos - last < PERIOD) {
            suppressed++;
            log.debug("{}", message);
            return;
        }
        used = true;
        last = nowNanos;
        if (suppressed == 0) {
            log.warn("{}", message);
        } else {
            log.warn("{} ({} similar lines left out)", message, suppressed);
            suppressed = 0;
        }
    }
}
