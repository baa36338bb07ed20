// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.util.Properties;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.memory.TaskMemoryManager;

/** Tasks without an application. */
final class Tasks {
    private Tasks() {}

    /** It has no system of metrics. */
    @SuppressWarnings("NullAway")
    static TaskContext task(TaskMemoryManager memory) {
        return new TaskContextImpl(
                0,
                0,
                0,
                0,
                0,
                1,
                memory,
                new Properties(),
                null,
                TaskMetrics.empty(),
                1,
                scala.collection.immutable.Map$.MODULE$.empty());
    }
}
