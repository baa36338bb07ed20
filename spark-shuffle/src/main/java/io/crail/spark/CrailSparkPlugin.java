// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import io.crail.error.CrailException;
import io.crail.spark.broadcast.Broadcasts;
import io.crail.spark.config.CrailSettings;
import io.crail.spark.sort.RecordSorters;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.LostOutputs;
import io.crail.spark.store.MapOutputLocation;
import io.crail.spark.store.StoreLease;
import java.security.SecureRandom;
import java.util.Map;
import org.apache.spark.MapOutputTracker;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches crail on for an application.
 *
 * <pre>{@code
 * spark-submit --jars crail-spark.jar \
 *     --conf spark.plugins=io.crail.spark.CrailSparkPlugin \
 *     --conf spark.crail.namenodes=host:9060 ...
 * }</pre>
 *
 * <p>The driver connects before anything is scheduled, so that an application whose settings are
 * wrong, or whose cluster is not there, ends with an explanation before its first job.
 */
public final class CrailSparkPlugin implements SparkPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(CrailSparkPlugin.class);

    @Override
    public DriverPlugin driverPlugin() {
        return new OnDriver();
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new OnExecutor();
    }

    private static final class OnDriver implements DriverPlugin {
        private @Nullable StoreLease lease;
        private @Nullable Broadcasts broadcasts;

        @Override
        public Map<String, String> init(SparkContext spark, PluginContext context) {
            boolean begun = false;
            try {
                begin(spark);
                begun = true;
            } catch (CrailException e) {
                throw new IllegalStateException(
                        "crail cannot be used for this application: "
                                + e.getMessage()
                                + ". To run without it, remove "
                                + CrailSparkPlugin.class.getName()
                                + " from spark.plugins.",
                        e);
            } finally {
                if (!begun) {
                    // Spark does not shut down a plug-in that could not begin.
                    shutdown();
                }
            }
            return Map.of();
        }

        private void begin(SparkContext spark) throws CrailException {
            SparkConf conf = spark.conf();
            CrailSettings settings = CrailSettings.of(conf);
            if (settings.shuffle()) {
                RecordSorters.named(settings.sorter());
                ShuffleTakeover.take(conf);
            }
            if (settings.anything()) {
                StoreLease begun =
                        ApplicationStores.OF_THIS_JVM.begin(conf, settings, new SecureRandom());
                lease = begun;
                // Spark does not shut us down either if another plug-in cannot begin.
                begun.store().endWhen(spark::isStopped, () -> end(begun));
                LOG.info(
                        "crail is used: {} of {}",
                        begun.store().directory(),
                        settings.client().namenodes());
            }
            if (settings.broadcast()) {
                broadcasts = Broadcasts.begin(SparkEnv.get(), settings.broadcastMin()).orElse(null);
            }
            LOG.info(
                    "In crail are: shuffles {}, broadcasts {}",
                    settings.shuffle(),
                    broadcasts != null);
        }

        @Override
        public void registerMetrics(String application, PluginContext context) {
            if (lease != null) {
                StoreMetrics.registerDriver(context.metricRegistry(), lease.store());
            }
        }

        /**
         * Hears from executors of lost outputs: Spark forgets where they were, and the directory is
         * made anew if it is gone; and of broadcasts that cannot be read, which are written again.
         */
        @Override
        public Object receive(Object message) {
            Broadcasts present = broadcasts;
            if (present != null && message instanceof String[] question) {
                return present.answer(question);
            }
            if (!(message instanceof long[] numbers)) {
                throw new IllegalArgumentException("crail does not know " + message);
            }
            forget(LostOutputs.of(numbers));
            return true;
        }

        private void forget(LostOutputs lost) {
            if (lease != null) {
                lease.store().renewDirectory();
            }
            if (lost.outputs().isEmpty()) {
                return;
            }
            LOG.warn(
                    "{} map outputs of shuffle {} are lost; Spark makes them again.",
                    lost.outputs().size(),
                    lost.shuffle());
            MapOutputTracker tracker = SparkEnv.get().mapOutputTracker();
            if (tracker instanceof MapOutputTrackerMaster master) {
                for (LostOutputs.Output each : lost.outputs()) {
                    master.unregisterMapOutput(
                            lost.shuffle(),
                            each.mapIndex(),
                            MapOutputLocation.of(lost.shuffle(), each.mapId()));
                }
            }
        }

        /** The tasks have ended; also of an application that could not be started. */
        @Override
        public void shutdown() {
            Broadcasts.driver(null);
            if (lease != null) {
                end(lease);
            }
        }

        private static void end(StoreLease lease) {
            lease.store().removeAll();
            lease.close();
        }
    }

    /** Connects when the executor starts, so that the first task need not. */
    private static final class OnExecutor implements ExecutorPlugin {
        private @Nullable StoreLease lease;

        @Override
        public void init(PluginContext context, Map<String, String> extra) {
            boolean begun = false;
            try {
                begin(context);
                begun = true;
            } catch (CrailException e) {
                throw new IllegalStateException(
                        "executor "
                                + context.executorID()
                                + " on "
                                + context.hostname()
                                + " cannot use crail: "
                                + e.getMessage(),
                        e);
            } finally {
                if (!begun) {
                    shutdown();
                }
            }
        }

        private void begin(PluginContext context) throws CrailException {
            SparkConf conf = context.conf();
            if (!CrailSettings.of(conf).anything()) {
                return;
            }
            StoreLease joined = ApplicationStores.OF_THIS_JVM.join(conf);
            lease = joined;
            // In local mode this JVM goes on when another plug-in could not begin.
            joined.store().endWhen(SparkEnv.get()::isStopped, joined::close);
            CrailSettings settings = joined.store().settings();
            if (settings.shuffle() && settings.warmUp()) {
                new WarmUp(joined.store(), conf, new SecureRandom()).begin();
            }
            Broadcasts.driver(question -> ask(context, question));
            joined.store().driver(lost -> tell(context, lost));
            StoreMetrics.registerExecutor(context.metricRegistry(), joined.store());
        }

        private static Object ask(PluginContext context, String[] question) {
            try {
                return context.ask(question);
            } catch (Exception e) {
                LOG.warn("The driver could not be asked for a broadcast: {}", e.toString());
                return new String[0];
            }
        }

        private static void tell(PluginContext context, LostOutputs lost) {
            try {
                context.ask(lost.toMessage());
            } catch (Exception e) {
                // Spark will find them one by one.
                LOG.warn("The driver was not told of lost map outputs: {}", e.toString());
            }
        }

        @Override
        public void shutdown() {
            Broadcasts.driver(null);
            if (lease != null) {
                lease.close();
            }
        }
    }
}
