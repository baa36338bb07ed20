// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Setting;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many times as fast as with HDFS an application is with crail, both by Hadoop.
 *
 * @param name of the row
 * @param unit of the figure: what the operation counts, in a second or in a nanosecond
 */
record HdfsRow(String name, Operation operation, String unit, @Nullable Target target)
        implements Row {
    private static final double NANOS = 1e9;

    @Override
    public List<Result> measure(Stores stores, Effort effort) throws IOException {
        Label label = new Label(name, Setting.FREE.text(), unit, Stores.hdfsName(), target);
        if (!stores.hasHdfs()) {
            return List.of(Result.skipped(label, "without HDFS", Row.load()));
        }
        try (Store hdfs = stores.hdfs();
                Store crail = stores.crail();
                Contestant limit = Contestant.prepare(hdfs, name, operation, effort);
                Contestant product = Contestant.prepare(crail, name, operation, effort)) {
            limit.warmUp(effort.warmUp());
            product.warmUp(effort.warmUp());
            return List.of(
                    new Batches(effort.batches(), stores.processes())
                            .compare(
                                    label,
                                    batch -> rate(limit, effort),
                                    batch -> {
                                        double rate = rate(product, effort);
                                        return new Batches.Done(rate, product.operations());
                                    }));
        }
    }

    /** More is better, so that the ratio says how many times as fast crail is. */
    private double rate(Contestant contestant, Effort effort) throws IOException {
        double each = contestant.batch(effort.batchTime());
        return unit.equals(Label.GIGABYTES) ? 1 / each : NANOS / each;
    }
}
