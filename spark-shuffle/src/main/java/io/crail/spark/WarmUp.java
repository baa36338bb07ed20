// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import io.crail.error.CrailException;
import io.crail.spark.basic.BasicSerializer;
import io.crail.spark.interop.UnscheduledTask;
import io.crail.spark.read.SampleInput;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.write.SampleOutput;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apache.spark.HashPartitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Product2;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Does in the background, when an executor has started, what the first of all tasks would do
 * otherwise: it takes some records through a shuffle of its own, from the serialiser by way of the
 * store to the serialiser and into Spark's map that combines. So the classes are loaded that are on
 * that way, the memory of storage servers on this host is mapped, and connections are open. Where
 * the application has Kryo serialise, that is the greater part of it.
 *
 * <p>These are as many records as it takes to come by everything, not as many as would make the
 * compilers see it: that, each application does for its own types. Nothing depends on it; what
 * fails here fails again, and is told, where it is needed.
 */
final class WarmUp implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** They name classes of the application, which may not be there yet. */
    private static final String[] OF_THE_APPLICATION = {
        "spark.kryo.registrator", "spark.kryo.classesToRegister", "spark.kryo.registrationRequired"
    };

    static final int RECORDS = 500;
    private static final int RECORD = 1000;
    private static final int PARTITIONS = 8;
    private static final long MAP = 0;

    private final ApplicationStore store;
    private final SparkConf conf;

    /** Shuffles of Spark begin at 0. */
    private final int shuffle;

    /**
     * A shuffle that nobody has made.
     *
     * @param random tells it from those of other executors
     */
    WarmUp(ApplicationStore store, SparkConf conf, RandomGenerator random) {
        this.store = store;
        this.shuffle = random.nextInt(Integer.MIN_VALUE, 0);
        this.conf = conf.clone();
        for (String each : OF_THE_APPLICATION) {
            this.conf.remove(each);
        }
    }

    /** Begins; nobody waits for it. */
    void begin() {
        Thread thread = new Thread(this, "crail-spark-warm-up");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            rehearse();
        } catch (Exception | LinkageError e) { // Scala declares nothing, and Spark ends what fails
            LOG.debug("Not warmed up", e);
        }
    }

    /**
     * Writes records and reads them.
     *
     * @return how many came back
     */
    long rehearse() throws IOException {
        Serializer serializer = serializer();
        TaskContext context = UnscheduledTask.context();
        UnscheduledTask.enter(context);
        try {
            SampleOutput.write(
                    store,
                    shuffle,
                    MAP,
                    context,
                    serializer,
                    new HashPartitioner(PARTITIONS),
                    records());
            return SampleInput.count(
                    store, shuffle, MAP, context, serializer, PARTITIONS, (long) RECORDS * RECORD);
        } finally {
            UnscheduledTask.leave();
            remove();
        }
    }

    /** The one by which most of the application's records go, as far as its settings tell. */
    private Serializer serializer() {
        KryoSerializer kryo = new KryoSerializer(conf);
        boolean mostlyKryo =
                !store.settings().basicTypes()
                        || conf.get("spark.serializer", "").equals(KryoSerializer.class.getName());
        return mostlyKryo ? kryo : new BasicSerializer(kryo);
    }

    private void remove() {
        try {
            store.removeShuffle(shuffle);
        } catch (CrailException e) {
            LOG.debug("What was written to warm up goes with the application", e);
        }
    }

    /** Every other partition has bytes that can be compressed. */
    private static Iterator<Product2<Object, Object>> records() {
        SplittableRandom random = new SplittableRandom(1);
        return new AbstractIterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < RECORDS;
            }

            @Override
            public Product2<Object, Object> next() {
                byte[] value = new byte[RECORD];
                if (next % 2 == 0) {
                    random.nextBytes(value);
                }
                return new Tuple2<>(next++, value);
            }
        };
    }
}
