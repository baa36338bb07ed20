// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What a client counts. Thread-safe. */
public final class Counters {
    public final LongAdder rpcCalls = new LongAdder();
    public final LongAdder rpcRetries = new LongAdder();
    public final LongAdder reconnects = new LongAdder();
    public final LongAdder sessions = new LongAdder();
    public final LongAdder blockReads = new LongAdder();
    public final LongAdder blockWrites = new LongAdder();
    public final LongAdder bytesRead = new LongAdder();
    public final LongAdder bytesWritten = new LongAdder();
    public final LongAdder staleReferences = new LongAdder();
    public final LongAdder checksumFailures = new LongAdder();
    public final LongAdder timeouts = new LongAdder();
    private final Map<Way, Moved> ways = new ConcurrentHashMap<>();

    /**
     * What bytes are counted by.
     *
     * @param transport name of the transport
     * @param storageClass of the storage server
     */
    public record Way(String transport, int storageClass) {}

    /** Bytes that went over one transport, from and to one storage class. */
    public static final class Moved {
        public final LongAdder read = new LongAdder();
        public final LongAdder written = new LongAdder();
        public final LongAdder lent = new LongAdder();
    }

    /** A block was read. */
    public void read(Moved over, int bytes) {
        blockReads.increment();
        bytesRead.add(bytes);
        over.read.add(bytes);
    }

    /** A block was written. */
    public void written(Moved over, int bytes) {
        blockWrites.increment();
        bytesWritten.add(bytes);
        over.written.add(bytes);
    }

    /** The counters of a transport and a storage class. */
    public Moved moved(String transport, int storageClass) {
        return ways.computeIfAbsent(new Way(transport, storageClass), way -> new Moved());
    }

    /** All that was used so far. */
    public Map<Way, Moved> ways() {
        return Map.copyOf(ways);
    }
}
