// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import io.crail.bench.spark.Job;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/** Jobs that do nothing, one after another: what a job costs by itself. */
final class EmptyJobs implements Workload {
    private static final int TASKS = 4;

    private final JavaRDD<Integer> numbers;
    private final int jobs;

    EmptyJobs(JavaSparkContext spark, Job job) {
        numbers = spark.parallelize(IntStream.range(0, TASKS).boxed().toList(), TASKS);
        jobs = job.size("jobs");
    }

    @Override
    public long run(boolean whole) {
        long counted = 0;
        for (int i = 0; i < jobs; i++) {
            counted += numbers.count();
        }
        return counted;
    }
}
