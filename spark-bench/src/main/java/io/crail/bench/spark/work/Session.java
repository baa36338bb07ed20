// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import io.crail.bench.spark.Conversation;
import io.crail.bench.spark.Job;
import io.crail.bench.spark.Round;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** An application that does one job again and again. Not thread-safe, but for {@link #close}. */
final class Session implements AutoCloseable {
    private final JavaSparkContext spark;
    private final Shuffles shuffles;
    private @Nullable Workload workload;

    private Session(JavaSparkContext spark, Shuffles shuffles) {
        this.spark = spark;
        this.shuffles = shuffles;
    }

    static Session start(SparkConf conf) {
        JavaSparkContext spark = new JavaSparkContext(conf);
        Shuffles shuffles = new Shuffles(spark.sc());
        spark.sc().addSparkListener(shuffles);
        return new Session(spark, shuffles);
    }

    /** Does what a line says. */
    String answer(String line) {
        String[] words = line.split(" ", 2);
        return switch (words[0]) {
            case Conversation.PREPARE -> {
                workload = workload(Job.parse(words[1]));
                workload.prepare();
                yield Conversation.DONE;
            }
            case Conversation.ROUND -> Conversation.DONE + " " + round(false).text();
            case Conversation.CHECK -> Conversation.DONE + " " + round(true).text();
            case Conversation.CLEAN -> {
                present().forget();
                shuffles.remove();
                yield Conversation.DONE;
            }
            default -> throw new IllegalArgumentException("nobody knows what that is: " + line);
        };
    }

    private Workload workload(Job job) {
        return switch (job.workload()) {
            case Job.GROUP_BY -> new GroupBy(spark, job);
            case Job.SORT -> new Sort(spark, job, false);
            case Job.SORT_FIXED -> new Sort(spark, job, true);
            case Job.JOIN -> new Join(spark, job);
            case Job.SMALL_BLOCKS -> new SmallBlocks(spark, job);
            case Job.BROADCAST -> new BroadcastValue(spark, job);
            case Job.EMPTY -> new EmptyJobs(spark, job);
            default -> throw new IllegalArgumentException("there is no job " + job.workload());
        };
    }

    private Round round(boolean whole) {
        Workload present = present();
        long start = System.nanoTime();
        long digest = present.run(whole);
        return new Round(System.nanoTime() - start, digest);
    }

    private Workload present() {
        if (workload == null) {
            throw new IllegalArgumentException("there is no job yet");
        }
        return workload;
    }

    @Override
    public void close() {
        spark.close();
    }
}
