// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import io.crail.spark.frame.FrameCodec;
import io.crail.spark.interop.ClassTags;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does in the background, while an executor waits for its first task, what the first of all tasks
 * would do otherwise: the first Kryo of a JVM takes it half a second of loading classes, and LZ4
 * unpacks a library. Nothing depends on it; what fails here fails again, and is told, where it is
 * needed.
 */
final class WarmUp implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    private static final String SERIALIZER = "spark.serializer";

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
            if (conf.get(SERIALIZER, "").equals(KryoSerializer.class.getName())) {
                roundTrip(new byte[16]);
            }
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("Not warmed up", e);
        }
    }

    /** Takes a value the way of those that are shuffled. */
    Object roundTrip(Object value) {
        SerializerInstance serializer = new KryoSerializer(conf).newInstance();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SerializationStream stream = serializer.serializeStream(bytes);
        stream.writeKey(1, ClassTags.any());
        stream.writeValue(value, ClassTags.any());
        stream.close();
        return serializer
                .deserializeStream(new ByteArrayInputStream(bytes.toByteArray()))
                .asKeyValueIterator()
                .next()
                ._2();
    }
}
