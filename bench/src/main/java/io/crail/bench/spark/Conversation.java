// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

/** Words of the lines by which an application is told what to do, and by which it answers. */
public final class Conversation {
    /** The application is there. Said once, by itself. */
    public static final String READY = "ready";

    /** Followed by a job: make its input, and keep it. Answered by {@link #DONE}. */
    public static final String PREPARE = "prepare";

    /** Do the job, and look at every byte of the result. Answered as {@link #ROUND}. */
    public static final String CHECK = "check";

    /** Do the job. Answered by {@link #DONE} and a {@link Round}. */
    public static final String ROUND = "round";

    /** Forget what the last round left in the place of shuffles. Answered by {@link #DONE}. */
    public static final String CLEAN = "clean";

    public static final String DONE = "done";

    /** Followed by the reason; the application ends. */
    public static final String FAILED = "failed";

    private Conversation() {}
}
