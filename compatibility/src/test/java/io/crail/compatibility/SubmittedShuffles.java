// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.sum;

import java.io.IOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A job for spark-submit that shuffles. No class of its own is needed by executors. */
public final class SubmittedShuffles {
    private SubmittedShuffles() {}

    /** Prints who shuffled, and what came out. */
    public static void main(String[] arguments) throws IOException {
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            Dataset<Row> groups =
                    spark.range(0, 100_000, 1, 8)
                            .withColumn("group", col("id").mod(100))
                            .groupBy("group")
                            .agg(sum("id").as("total"))
                            .orderBy("group");
            Row last = groups.collectAsList().get(99);
            System.out.println("manager: " + SparkEnv.get().shuffleManager().getClass().getName());
            System.out.println("group " + last.getLong(0) + " has " + last.getLong(1));
        }
    }
}
