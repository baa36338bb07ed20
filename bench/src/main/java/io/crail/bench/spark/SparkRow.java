// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import org.jspecify.annotations.Nullable;

/**
 * A row of the table.
 *
 * @param name of the row
 * @param job what a round does
 * @param crailJob what it does with crail: the same, if in another way
 * @param jobs how often it does it: the row is about the time of one
 * @param vanilla what the application without crail consists of
 * @param crail and the one with crail
 * @param cold whether each round is the first one of new applications
 * @param target null if the row is only shown
 */
record SparkRow(
        String name,
        Job job,
        Job crailJob,
        int jobs,
        Shape vanilla,
        Shape crail,
        boolean cold,
        @Nullable SparkTarget target) {
    static SparkRow warm(String name, Job job, Shape shape, @Nullable SparkTarget target) {
        return new SparkRow(name, job, job, 1, shape, shape, false, target);
    }

    /** The same, but crail has only that many cores for each executor. */
    SparkRow crailWith(int cores) {
        return new SparkRow(
                name, job, crailJob, jobs, vanilla, crail.withCores(cores), cold, target);
    }

    /** The same, but crail does this job, which has the same result. */
    SparkRow crailDoes(Job other) {
        return new SparkRow(name, job, other, jobs, vanilla, crail, cold, target);
    }

    /** The same, each round in new applications. */
    SparkRow inNewApplications() {
        return new SparkRow(name, job, crailJob, jobs, vanilla, crail, true, target);
    }

    /** The same, of rounds that do the job more than once. */
    SparkRow times(int more) {
        return new SparkRow(name, job, crailJob, more, vanilla, crail, cold, target);
    }
}
