// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Row;

/** What happens to the first attempt of a task, after it has written some rows. */
enum Disturbance implements MapPartitionsFunction<Row, Row> {
    NONE {
        @Override
        void strike() {}
    },

    /** It fails, and is tried again. */
    FAILURE {
        @Override
        void strike() {
            throw new IllegalStateException("the first attempt fails on purpose");
        }
    },

    /** It stands still until Spark ends it, since another attempt has overtaken it. */
    STANDSTILL {
        @Override
        void strike() {
            try {
                if (!new CountDownLatch(1).await(BOUND_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("nobody has overtaken the first attempt");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("overtaken", e);
            }
        }
    };

    private static final int BOUND_SECONDS = 60;
    private static final int STRUCK_PARTITION = 1;
    private static final int ROWS_BEFORE = 1000;

    abstract void strike();

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        TaskContext task = TaskContext.get();
        boolean struck = task.partitionId() == STRUCK_PARTITION && task.attemptNumber() == 0;
        return new Iterator<>() {
            private int seen;

            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Row next() {
                if (struck && seen == ROWS_BEFORE) {
                    strike();
                }
                seen++;
                return rows.next();
            }
        };
    }
}
