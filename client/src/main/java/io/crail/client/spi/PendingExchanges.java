// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges that are not answered yet, by their request ids.
 *
 * <p>Ids are given one after the other and most answers come soon, so nearly each exchange finds
 * the place of its own in a ring of the last ids free, and neither an entry nor a boxed id is made
 * for it: that was a twelfth of what an asynchronous lookup allocated. One that finds its place
 * taken by an exchange that has been waiting for long goes into a map.
 *
 * <p>Thread-safe and lock-free. A place changes from empty to an exchange and from that exchange to
 * empty, by compare-and-set; an exchange is put once, so it is in its place or in the map and not
 * in both, and whoever removes it is the only one.
 *
 * @param <E> type of the exchanges
 */
public final class PendingExchanges<E extends Exchange> {
    private static final int PLACES = 256;

    private final AtomicReferenceArray<@Nullable E> recent = new AtomicReferenceArray<>(PLACES);
    private final ConcurrentMap<Long, E> older = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();

    private static int place(long requestId) {
        return (int) requestId & (PLACES - 1);
    }

    /** Adds an exchange; no other one has its id. */
    public void put(E exchange) {
        size.incrementAndGet();
        if (!recent.compareAndSet(place(exchange.requestId()), null, exchange)) {
            older.put(exchange.requestId(), exchange);
        }
    }

    /** The exchange of an id, or null. */
    public @Nullable E get(long requestId) {
        E found = recent.get(place(requestId));
        return found != null && found.requestId() == requestId ? found : older.get(requestId);
    }

    /** Removes this very exchange; false if it is not there. */
    public boolean remove(E exchange) {
        boolean removed =
                recent.compareAndSet(place(exchange.requestId()), exchange, null)
                        || older.remove(exchange.requestId(), exchange);
        if (removed) {
            size.decrementAndGet();
        }
        return removed;
    }

    /** How many there are. */
    public int size() {
        return size.get();
    }

    public boolean isEmpty() {
        return size.get() == 0;
    }

    /** Those that are there, in the order of their ids. */
    public List<E> inOrder() {
        List<E> all = new ArrayList<>(older.values());
        for (int i = 0; i < PLACES; i++) {
            E each = recent.get(i);
            if (each != null) {
                all.add(each);
            }
        }
        all.sort(Comparator.comparingLong(Exchange::requestId));
        return all;
    }
}
