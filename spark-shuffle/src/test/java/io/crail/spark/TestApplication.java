// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A Spark application whose shuffles are in a cluster of its own. Only one lives at a time in a
 * JVM, as Spark demands.
 */
final class TestApplication implements AutoCloseable {
    static final String LOCAL = "local[4,4]";
    static final String TWO_EXECUTORS = "local-cluster[2,1,1024]";

    private final EmbeddedCluster cluster;
    private final CrailClient client;
    private final JavaSparkContext spark;

    private TestApplication(EmbeddedCluster cluster, CrailClient client, JavaSparkContext spark) {
        this.cluster = cluster;
        this.client = client;
        this.spark = spark;
    }

    static TestApplication start(String master, Map<String, String> settings) throws IOException {
        return start(
                EmbeddedCluster.builder().servers(2).capacity(256L << 20).start(),
                master,
                settings);
    }

    /** Starts an application on a cluster, which is closed with it. */
    static TestApplication start(
            EmbeddedCluster cluster, String master, Map<String, String> settings)
            throws IOException {
        boolean started = false;
        try {
            SparkConf conf = configuration(master, cluster.namenode());
            settings.forEach(conf::set);
            TestApplication application =
                    new TestApplication(cluster, cluster.client(), new JavaSparkContext(conf));
            started = true;
            return application;
        } finally {
            if (!started) {
                cluster.close();
            }
        }
    }

    /** Of an application that is switched to crail; it has what tests give it, and nothing more. */
    static SparkConf configuration(String master, String namenode) throws IOException {
        return withoutCrail(master)
                .set("spark.plugins", CrailSparkPlugin.class.getName())
                .set("spark.crail.namenodes", namenode)
                .set("spark.crail.shuffle.warmUp", "false");
    }

    /** Of an application that has no more than Spark. */
    static SparkConf withoutCrail(String master) throws IOException {
        // Executors find their classes by the class path; Spark wants the directory nevertheless.
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        String classes =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        return new SparkConf(false)
                .setMaster(master)
                .setAppName("test of crail")
                .set("spark.executor.extraClassPath", classes)
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.ui.enabled", "false")
                .set("spark.local.dir", System.getProperty("java.io.tmpdir"));
    }

    JavaSparkContext spark() {
        return spark;
    }

    EmbeddedCluster cluster() {
        return cluster;
    }

    CrailClient client() {
        return client;
    }

    /** Names in a directory, none if there is no such directory. */
    List<String> list(String path) throws CrailException {
        List<String> names = new ArrayList<>();
        if (client.lookup(path).isPresent()) {
            CrailIterator<DirectoryEntry> entries = client.list(path);
            while (entries.hasNext()) {
                names.add(entries.next().name());
            }
        }
        return names;
    }

    /** Bytes of a file. */
    byte[] read(String path) throws IOException {
        try (CrailFile file = client.open(path)) {
            ByteBuffer content = ByteBuffer.allocate((int) file.length());
            file.readFully(0, content);
            return content.array();
        }
    }

    /** What tasks did meanwhile. */
    Totals during(Runnable job) {
        Totals totals = new Totals();
        spark.sc().addSparkListener(totals);
        job.run();
        try {
            spark.sc().listenerBus().waitUntilEmpty();
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("Spark's listeners do not come to an end", e);
        }
        spark.sc().removeSparkListener(totals);
        return totals;
    }

    /** Closes what tasks of this JVM have open, which would hide what becomes of the files. */
    static void closeOutputs(int shuffle) throws CrailException {
        try (StoreLease lease = ApplicationStores.OF_THIS_JVM.join(SparkEnv.get().conf())) {
            lease.store().outputs().forget(shuffle);
        }
    }

    /** Path of the application's directory. */
    String directory() throws CrailException {
        return "/spark/" + list("/spark").get(0);
    }

    @Override
    public void close() {
        spark.close();
        cluster.close();
    }
}
