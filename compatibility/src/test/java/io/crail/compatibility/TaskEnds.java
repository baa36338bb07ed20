// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;

/** Counts attempts of tasks. Thread-safe. */
final class TaskEnds extends SparkListener {
    private final AtomicInteger speculative = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger killed = new AtomicInteger();

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
        if (start.taskInfo().speculative()) {
            speculative.incrementAndGet();
        }
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskInfo().killed()) {
            killed.incrementAndGet();
        } else if (end.taskInfo().failed()) {
            failed.incrementAndGet();
        }
    }

    int speculative() {
        return speculative.get();
    }

    int failed() {
        return failed.get();
    }

    int killed() {
        return killed.get();
    }
}
