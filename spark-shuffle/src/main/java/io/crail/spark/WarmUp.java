// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import io.crail.error.CorruptDataException;
import io.crail.spark.frame.FrameCodec;
import io.crail.spark.frame.FrameInput;
import io.crail.spark.frame.FrameOutput;
import io.crail.spark.frame.FrameSink;
import io.crail.spark.frame.FrameSource;
import io.crail.spark.interop.ClassTags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * Does in the background, while an executor waits for its first task, what the first of all tasks
 * would do otherwise: the first Kryo of a JVM takes it half a second of loading classes, LZ4
 * unpacks a library, and all that a record goes through is interpreted at first. Spark uses Kryo
 * for keys and values that are primitives, or arrays of them, whatever the serialiser of the
 * application. Nothing depends on it; what fails here fails again, and is told, where it is needed.
 */
final class WarmUp implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** As many as make the compiler see what is worth its time. */
    private static final int RECORDS = 20_000;

    private static final int AT_A_TIME = 500;
    private static final int VALUE = 1000;
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** They name classes of the application, which may not be there yet. */
    private static final String[] OF_THE_APPLICATION = {
        "spark.kryo.registrator", "spark.kryo.classesToRegister", "spark.kryo.registrationRequired"
    };

    private final SparkConf conf;

    WarmUp(SparkConf conf) {
        this.conf = conf.clone();
        for (String each : OF_THE_APPLICATION) {
            this.conf.remove(each);
        }
    }

    /** Begins; nobody waits for it. */
    static void begin(SparkConf conf) {
        Thread thread = new Thread(new WarmUp(conf), "crail-spark-warm-up");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            FrameCodec.load();
            SerializerInstance serializer = serializer();
            byte[] value = new byte[VALUE];
            new SplittableRandom(1).nextBytes(value);
            long begin = System.nanoTime();
            for (int done = 0;
                    done < RECORDS && System.nanoTime() - begin < LONGEST_NANOS;
                    done += AT_A_TIME) {
                // Both of the values that compress and of those that do not.
                Arrays.fill(value, 0, VALUE / 2, (byte) done);
                roundTrip(serializer, value, AT_A_TIME);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.debug("Not warmed up", e);
        }
    }

    /** As Spark makes it, but for the classes of the application. */
    SerializerInstance serializer() {
        return new KryoSerializer(conf).newInstance();
    }

    /**
     * Takes a value the way of those that are shuffled, again and again.
     *
     * @return how often it came back
     */
    int roundTrip(SerializerInstance serializer, Object value, int times) throws IOException {
        Loop loop = new Loop();
        try (FrameOutput frames = new FrameOutput(new FrameCodec(Loop.SIZE / 32), loop)) {
            SerializationStream objects = serializer.serializeStream(frames);
            for (int i = 0; i < times; i++) {
                objects.writeKey(i, ClassTags.any());
                objects.writeValue(value, ClassTags.any());
                objects.flush();
            }
            objects.close();
        }
        loop.turn();
        Iterator<Tuple2<Object, Object>> records =
                serializer.deserializeStream(new FrameInput(loop).begin()).asKeyValueIterator();
        int same = 0;
        while (records.hasNext()) {
            Tuple2<Object, Object> record = records.next();
            same += Objects.deepEquals(record._2(), value) ? 1 : 0;
        }
        return same;
    }

    /** Frames are read from where they were put. */
    private static final class Loop implements FrameSink, FrameSource {
        private static final int SIZE = 1 << 20;

        private final ByteBuffer bytes = ByteBuffer.allocateDirect(SIZE);

        /** From now on it is read. */
        void turn() {
            bytes.flip();
        }

        @Override
        public ByteBuffer room() {
            return bytes;
        }

        @Override
        public void write(byte[] source, int offset, int length) {
            bytes.put(source, offset, length);
        }

        @Override
        public long left() {
            return bytes.remaining();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            int some = Math.min(length, bytes.remaining());
            bytes.get(target, offset, some);
            return some;
        }

        @Override
        public @Nullable ByteBuffer peek(int length) {
            return bytes;
        }

        @Override
        public void skip(int length) {
            bytes.position(bytes.position() + length);
        }

        @Override
        public RuntimeException corrupt(String what) throws IOException {
            throw new CorruptDataException(what);
        }
    }
}
