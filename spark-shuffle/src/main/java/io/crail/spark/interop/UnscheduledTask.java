// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.interop;

import java.util.Properties;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.TaskMemoryManager;

/** The context of work that is done as tasks do theirs, but that no scheduler knows. */
public final class UnscheduledTask {
    private UnscheduledTask() {}

    /** A context for one thread. What its metrics count, nobody is told. */
    @SuppressWarnings("NullAway") // It has no system of metrics.
    public static TaskContext context() {
        return new TaskContextImpl(
                0,
                0,
                0,
                -1,
                0,
                1,
                new Unshared(),
                new Properties(),
                null,
                TaskMetrics.empty(),
                1,
                scala.collection.immutable.Map$.MODULE$.empty());
    }

    /** Has Spark take the calling thread for that of a task, until {@link #leave}. */
    public static void enter(TaskContext context) {
        TaskContext$.MODULE$.setTaskContext(context);
    }

    /** The calling thread is that of no task any more. */
    public static void leave() {
        TaskContext$.MODULE$.unset();
    }

    /** Takes nothing from what tasks share: their parts would be smaller by one more task. */
    private static final class Unshared extends TaskMemoryManager {
        Unshared() {
            super(SparkEnv.get().memoryManager(), -1);
        }

        @Override
        public long acquireExecutionMemory(long required, MemoryConsumer consumer) {
            return required;
        }

        @Override
        public void releaseExecutionMemory(long size, MemoryConsumer consumer) {}
    }
}
