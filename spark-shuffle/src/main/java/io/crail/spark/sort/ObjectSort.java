// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import io.crail.spark.interop.ClassTags;
import java.io.IOException;
import java.util.Comparator;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Sorts records of any kind, as long as there is memory for all of them: by the algorithm of
 * Spark's {@code ExternalSorter}, without what that does for partitions, of which there is one. It
 * makes a pair of partition and key for each record, keeps it, and compares by way of it.
 *
 * <p>When Spark refuses memory, all records are {@link #handOver handed over}, so that Spark's own
 * sorter can spill them. When another part of the task needs memory later, the records that are
 * left go to crail, and it goes on from there. Belongs to the thread of the task.
 */
public final class ObjectSort<K, V> implements AutoCloseable {
    private static final int CHECK_EVERY = 32;

    private final Comparator<? super K> order;
    private final SerializerInstance serializer;
    private final SpillSpace spills;
    private final TaskContext context;
    private final SortMemory memory;
    private PairArray<K, V> pairs = new PairArray<>();
    private long granted;
    private @Nullable SpillFile rest;
    private @Nullable DeserializationStream restStream;

    /**
     * A sort of nothing.
     *
     * @param serializer for records that are spilled
     * @param unaccounted bytes up to which memory is not accounted, as in Spark, so that small
     *     sorts do not disturb others
     */
    public ObjectSort(
            Comparator<? super K> order,
            SerializerInstance serializer,
            SpillSpace spills,
            TaskContext context,
            long unaccounted) {
        this.granted = unaccounted;
        this.order = order;
        this.serializer = serializer;
        this.spills = spills;
        this.context = context;
        this.memory = new SortMemory(context.taskMemoryManager());
    }

    /**
     * Takes records as long as there is memory.
     *
     * @return whether it has all of them; if not, they have to be handed over
     */
    public boolean addAll(Iterator<? extends Product2<K, V>> records) {
        while (records.hasNext()) {
            Product2<K, V> record = records.next();
            pairs.add(record._1(), record._2());
            if (pairs.count() % CHECK_EVERY == 0 && !hasMemory()) {
                return false;
            }
        }
        return true;
    }

    private boolean hasMemory() {
        context.killTaskIfInterrupted();
        long needed = pairs.estimate();
        if (needed >= granted) {
            granted += memory.acquireSome(2 * needed - granted);
        }
        return needed < granted && !pairs.isFull();
    }

    /** The records that were taken, in the order in which they came, and those that are left. */
    public Iterator<Product2<K, V>> handOver(Iterator<? extends Product2<K, V>> left) {
        PairArray<K, V> taken = pairs;
        close();
        return new AbstractIterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < taken.count() || left.hasNext();
            }

            @Override
            public Product2<K, V> next() {
                if (next == taken.count()) {
                    return left.next();
                }
                Product2<K, V> record = new Tuple2<>(taken.key(next), taken.value(next));
                taken.forget(next++);
                return record;
            }
        };
    }

    /** All records in order; what they take is given back after the last. Called once. */
    public Iterator<Product2<K, V>> sorted() {
        pairs.sort(order);
        Sorted sorted = new Sorted(pairs);
        memory.relief(sorted::spill);
        return sorted;
    }

    /** Most bytes of memory that were in use at a time. */
    public long peakMemory() {
        return pairs.estimate();
    }

    /** Gives back its memory and what it has spilled. Idempotent. */
    @Override
    public void close() {
        pairs = new PairArray<>();
        memory.close();
        DeserializationStream stream = restStream;
        restStream = null;
        if (stream != null) {
            stream.close();
        }
        SpillFile spilled = rest;
        rest = null;
        if (spilled != null) {
            spilled.delete();
        }
    }

    private final class Sorted extends AbstractIterator<Product2<K, V>> {
        private PairArray<K, V> present;
        private int next;
        private @Nullable Iterator<Tuple2<Object, Object>> spilled;

        Sorted(PairArray<K, V> present) {
            this.present = present;
        }

        @Override
        public boolean hasNext() {
            boolean more = spilled == null ? next < present.count() : spilled.hasNext();
            if (!more) {
                close();
            }
            return more;
        }

        @Override
        @SuppressWarnings("unchecked")
        public Product2<K, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException("all records have been read");
            }
            if (spilled != null) {
                return (Product2<K, V>) (Product2<?, ?>) spilled.next();
            }
            K key = present.key(next);
            return new Tuple2<>(key, present.value(next++));
        }

        void spill() throws IOException {
            if (spilled != null || next == present.count()) {
                return;
            }
            SpillFile file = spills.create(memory.getUsed());
            rest = file;
            SerializationStream target = serializer.serializeStream(file.write());
            for (int i = next; i < present.count(); i++) {
                target.writeKey(present.key(i), ClassTags.any());
                target.writeValue(present.value(i), ClassTags.any());
            }
            target.close();
            DeserializationStream source = serializer.deserializeStream(file.read());
            restStream = source;
            spilled = source.asKeyValueIterator();
            present = new PairArray<>();
            pairs = present;
            memory.release(memory.getUsed());
        }
    }
}
