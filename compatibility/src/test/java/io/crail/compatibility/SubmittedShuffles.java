// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;

import java.io.IOException;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** A job for spark-submit that shuffles and broadcasts; executors need no class of its own. */
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
            broadcast(spark);
        }
    }

    /** Prints who broadcast, and what tasks saw. */
    private static void broadcast(SparkSession spark) {
        Dataset<Row> names =
                spark.range(0, 200_000)
                        .withColumn("name", concat(lit("name "), col("id").cast("string")));
        Dataset<Row> joined =
                spark.range(0, 200_000, 1, 4)
                        .join(functions.broadcast(names), "id")
                        .agg(sum(length(col("name"))));
        System.out.println("letters: " + joined.collectAsList().get(0).getLong(0));
        Broadcast<byte[]> large =
                JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .broadcast(new byte[3 << 20]);
        System.out.println("broadcast: " + large.getClass().getName());
    }
}
