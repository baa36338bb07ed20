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
 * @param living how long the applications live
 * @param inMemory part of the bytes of its shuffle that crail's memory may hold, the rest of which
 *     goes to flash: such a row is compared with crail that holds all in memory. 1 = all of it,
 *     compared with vanilla Spark
 * @param target null if the row is only shown
 */
record SparkRow(
        String name,
        Job job,
        Job crailJob,
        int jobs,
        Shape vanilla,
        Shape crail,
        Living living,
        double inMemory,
        @Nullable SparkTarget target) {
    static SparkRow warm(String name, Job job, Shape shape, @Nullable SparkTarget target) {
        return new SparkRow(name, job, job, 1, shape, shape, Living.TOGETHER, 1, target);
    }

    /** The same, but crail has only that many cores for each executor. */
    SparkRow crailWith(int cores) {
        return new SparkRow(
                name,
                job,
                crailJob,
                jobs,
                vanilla,
                crail.withCores(cores),
                living,
                inMemory,
                target);
    }

    /** The same, but crail does this job, which has the same result. */
    SparkRow crailDoes(Job other) {
        return new SparkRow(name, job, other, jobs, vanilla, crail, living, inMemory, target);
    }

    /** The same, each round in new applications. */
    SparkRow inNewApplications() {
        return living(Living.ONE_ROUND);
    }

    /** The same, but only one application lives at a time. */
    SparkRow inTurn() {
        return living(Living.IN_TURN);
    }

    private SparkRow living(Living other) {
        return new SparkRow(name, job, crailJob, jobs, vanilla, crail, other, inMemory, target);
    }

    boolean cold() {
        return living == Living.ONE_ROUND;
    }

    /** The same, with memory for a part of the shuffle, and flash for the rest. */
    SparkRow withInMemory(double part) {
        return new SparkRow(name, job, crailJob, jobs, vanilla, crail, living, part, target);
    }

    boolean usesFlash() {
        return inMemory < 1;
    }

    /** The same, of rounds that do the job more than once. */
    SparkRow times(int more) {
        return new SparkRow(name, job, crailJob, more, vanilla, crail, living, inMemory, target);
    }
}
