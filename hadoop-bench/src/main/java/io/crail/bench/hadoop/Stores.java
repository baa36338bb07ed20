// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.bench.HadoopBenchmark.Cluster;
import io.crail.bench.stage.Servers;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.BlockWrite;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Opens what is compared: the file system and the client of crail, and HDFS, whose servers are
 * started when they are first asked for. Whatever is not said here is as shipped. Not thread-safe.
 */
final class Stores implements AutoCloseable {
    private final Cluster cluster;
    private final Configuration configuration = new Configuration();
    private final @Nullable Path jars;
    private @Nullable HdfsServers hdfs;

    /**
     * @param jars of HDFS's servers; null if there is no HDFS
     */
    Stores(Cluster cluster, @Nullable Path jars) {
        this.cluster = cluster;
        this.jars = jars;
        cluster.settings().forEach((key, value) -> configuration.set("fs.crail." + key, value));
        configureHdfs(configuration);
    }

    /**
     * One copy, as crail has. A client that closes a file before the namenode has heard of its last
     * block asks again after 400 ms, unless told otherwise: on a machine with few cores this
     * happens to every second file, and HDFS would look much slower than it is.
     */
    private static void configureHdfs(Configuration configuration) {
        configuration.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, 1);
        configuration.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, 1);
        // They double: so many are as long as those of the default.
        configuration.setInt(BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, 14);
    }

    /** The servers of crail. */
    List<ProcessHandle> processes() {
        return cluster.servers().processes();
    }

    /** crail by Hadoop. */
    Store crail() throws IOException {
        return FileSystemStore.open(
                URI.create("crail://" + cluster.namenode() + "/"), configuration);
    }

    /** crail by its client. */
    Store client() throws IOException {
        return new ClientStore(cluster.servers().connect(Servers.Way.LOCAL));
    }

    /** Whether there is one. */
    boolean hasHdfs() {
        return jars != null;
    }

    /** HDFS by Hadoop. */
    Store hdfs() throws IOException {
        HdfsServers running = hdfs;
        if (running == null) {
            if (jars == null) {
                throw new IllegalStateException("there is no HDFS");
            }
            running = HdfsServers.start(jars);
            hdfs = running;
        }
        return FileSystemStore.open(running.uri(), configuration);
    }

    /** What results call it. Reads on the same host need a native library to be short. */
    static String hdfsName() {
        return "HDFS " + VersionInfo.getVersion() + " over TCP";
    }

    @Override
    public void close() throws IOException {
        if (hdfs != null) {
            hdfs.close();
        }
    }
}
