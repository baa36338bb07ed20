// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.status;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * All counts of a target. Thread-safe. Hosts choose their names, so the number of those that are
 * remembered after they have gone is bounded: the one that came first is forgotten first.
 */
public final class TargetCounters {
    private static final int MAX_HOSTS = 1024;

    public final LongAdder connectionsRefused = new LongAdder();
    public final LongAdder digestErrors = new LongAdder();
    public final LongAdder protocolErrors = new LongAdder();
    public final LongAdder keepAlivesExpired = new LongAdder();
    public final LongAdder sharedBytes = new LongAdder();

    private final Map<String, HostCounters> hosts = new LinkedHashMap<>();

    /** The counters of a host. */
    public synchronized HostCounters of(String hostNqn) {
        HostCounters known = hosts.get(hostNqn);
        if (known != null) {
            return known;
        }
        forgetOne();
        HostCounters created = new HostCounters(hostNqn);
        hosts.put(hostNqn, created);
        return created;
    }

    private void forgetOne() {
        Iterator<HostCounters> oldest = hosts.values().iterator();
        while (hosts.size() >= MAX_HOSTS && oldest.hasNext()) {
            if (!oldest.next().isConnected()) {
                oldest.remove();
            }
        }
    }

    public synchronized List<HostStatistics> hosts() {
        List<HostStatistics> all = new ArrayList<>();
        for (HostCounters each : hosts.values()) {
            all.add(each.snapshot());
        }
        return all;
    }
}
