// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import java.io.IOException;
import org.apache.spark.sql.SparkSession;

/**
 * A job for spark-submit: writes Parquet to the directory that its argument names, and reads it.
 */
public final class SubmittedJob {
    private SubmittedJob() {}

    /** Prints how many rows it has found. */
    public static void main(String[] arguments) throws IOException {
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            spark.range(1000).write().parquet(arguments[0]);
            long rows = spark.read().parquet(arguments[0]).filter("id >= 100").count();
            System.out.println("rows: " + rows);
        }
    }
}
