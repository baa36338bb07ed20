// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import scala.Tuple2;

/**
 * An application in a process of its own: one job, whose reduce tasks wait until a file appears,
 * and which says on its way where it is; or a {@link BroadcastJob}. See {@link DriverProcess}.
 */
final class DriverMain {
    static final String DIRECTORY = "directory: ";
    static final String MAPS_DONE = "maps done";
    static final String RESULT = "result: ";
    static final String STOPPED = "stopped";
    static final int MAPS = 8;
    static final int KEYS = 100;
    static final int NUMBERS = 40_000;

    private static final long LIMIT_SECONDS = 240;

    private DriverMain() {}

    /**
     * Runs the application.
     *
     * @param arguments master, namenode, the file that reduce tasks wait for, the one that the end
     *     waits for, and settings, as KEY=VALUE each
     */
    public static void main(String[] arguments) throws IOException {
        SparkConf conf = TestApplication.configuration(arguments[0], arguments[1]);
        Path reduce = Path.of(arguments[2]);
        Path end = Path.of(arguments[3]);
        for (String setting : List.of(arguments).subList(4, arguments.length)) {
            int middle = setting.indexOf('=');
            conf.set(setting.substring(0, middle), setting.substring(middle + 1));
        }
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            say(DIRECTORY + spark.getConf().get("spark.crail.internal.applicationDirectory"));
            Totals totals = new Totals();
            spark.sc().addSparkListener(totals);
            spark.sc().addSparkListener(new SaysWhenMapsAreDone());
            long sum =
                    BroadcastJob.isWanted(spark.getConf())
                            ? BroadcastJob.run(spark, reduce)
                            : job(spark, reduce.toString());
            listenersAreThrough(spark);
            say(RESULT + sum + " " + totals.mapTasks + " " + totals.failedTasks);
            await(end);
        }
        say(STOPPED);
    }

    /** The sum of all numbers, by way of a shuffle that moves each of them. */
    private static long job(JavaSparkContext spark, String reduce) {
        return spark.parallelize(IntStream.range(0, NUMBERS).boxed().toList(), MAPS)
                .mapToPair(number -> new Tuple2<>(number % KEYS, number))
                .groupByKey(6)
                .mapPartitions(
                        groups -> {
                            await(Path.of(reduce));
                            long sum = 0;
                            while (groups.hasNext()) {
                                for (int number : groups.next()._2()) {
                                    sum += number;
                                }
                            }
                            return List.of(sum).iterator();
                        })
                .reduce(Long::sum);
    }

    private static void listenersAreThrough(JavaSparkContext spark) {
        try {
            spark.sc().listenerBus().waitUntilEmpty();
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("Spark's listeners do not come to an end", e);
        }
    }

    static void await(Path file) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!Files.exists(file)) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException(file + " does not appear");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)); // A poll interval.
        }
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static final class SaysWhenMapsAreDone extends SparkListener {
        private boolean said;

        @Override
        public void onStageCompleted(SparkListenerStageCompleted stage) {
            if (!said) {
                said = true;
                say(MAPS_DONE);
            }
        }
    }
}
