// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import static org.apache.spark.sql.functions.avg;
import static org.apache.spark.sql.functions.bit_xor;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.hash;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.sum;
import static org.apache.spark.sql.functions.xxhash64;

import io.crail.bench.spark.Job;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Two tables that are joined by sorting, and the result aggregated: all bytes of both go through a
 * shuffle. Plans change while they run, as is usual.
 */
final class Join implements Workload {
    private static final int LINES = 4;

    private final SparkSession sql;
    private final long rows;

    Join(JavaSparkContext spark, Job job) {
        sql = SparkSession.builder().sparkContext(spark.sc()).getOrCreate();
        // The tables are large: neither would be sent to all.
        sql.conf().set("spark.sql.autoBroadcastJoinThreshold", "-1");
        rows = job.size("rows");
    }

    /** Sixteen random digits and a few that are not. */
    private static Column text(Column seed) {
        return concat(hash(seed).cast("string"), lit("-"), xxhash64(seed, lit(1)).cast("string"));
    }

    private Dataset<Row> orders() {
        return sql.range(0, rows / LINES)
                .select(
                        col("id").as("order"),
                        xxhash64(col("id")).mod(1000).as("customer"),
                        text(col("id")).as("comment"));
    }

    private Dataset<Row> lines() {
        return sql.range(0, rows)
                .select(
                        xxhash64(col("id"), lit(2))
                                .bitwiseAND(lit(Long.MAX_VALUE))
                                .mod(rows / LINES)
                                .as("of"),
                        hash(col("id")).mod(10_000).as("price"),
                        text(col("id").plus(7)).as("note"),
                        text(col("id").plus(8)).as("address"));
    }

    @Override
    public long run(boolean whole) {
        Dataset<Row> joined = lines().join(orders(), col("of").equalTo(col("order")));
        Row total =
                joined.groupBy("customer")
                        .agg(
                                sum("price").as("price"),
                                avg("price").as("mean"),
                                max("note").as("note"),
                                bit_xor(xxhash64(col("note"), col("address"), col("comment")))
                                        .as("texts"))
                        .agg(
                                count(lit(1)),
                                sum("price"),
                                bit_xor(xxhash64(col("customer"), col("note"), col("texts"))))
                        .head();
        return Digest.of(Digest.of(total.getLong(0), total.getLong(1)), total.getLong(2));
    }
}
