// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What this JVM has done with broadcasts of the application. Thread-safe. */
public final class BroadcastCounts {
    private final Map<BroadcastCount, LongAdder> counts = new EnumMap<>(BroadcastCount.class);

    BroadcastCounts() {
        for (BroadcastCount each : BroadcastCount.values()) {
            counts.put(each, new LongAdder());
        }
    }

    private LongAdder counter(BroadcastCount what) {
        LongAdder counter = counts.get(what);
        if (counter == null) {
            throw new AssertionError(what);
        }
        return counter;
    }

    /** One more. */
    public void add(BroadcastCount what) {
        add(what, 1);
    }

    /** So many more. */
    public void add(BroadcastCount what, long count) {
        counter(what).add(count);
    }

    /** How many so far. */
    public long get(BroadcastCount what) {
        return counter(what).sum();
    }
}
