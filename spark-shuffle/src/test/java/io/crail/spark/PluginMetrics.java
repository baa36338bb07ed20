// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import com.codahale.metrics.Gauge;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.source.Source;
import scala.collection.Iterator;

/** The metrics of the plug-in that Spark's metrics system has in this JVM. */
final class PluginMetrics {
    private static final String SOURCE = "plugin." + CrailSparkPlugin.class.getName();

    private PluginMetrics() {}

    /** The value of the one that has this name, whether it is the driver's or the executor's. */
    static long of(String name) {
        List<Long> values = new ArrayList<>();
        Iterator<Source> sources =
                SparkEnv.get().metricsSystem().getSourcesByName(SOURCE).iterator();
        while (sources.hasNext()) {
            if (sources.next().metricRegistry().getMetrics().get(name) instanceof Gauge<?> gauge) {
                values.add((Long) gauge.getValue());
            }
        }
        if (values.size() != 1) {
            throw new AssertionError(values.size() + " metrics of the name " + name);
        }
        return values.get(0);
    }
}
