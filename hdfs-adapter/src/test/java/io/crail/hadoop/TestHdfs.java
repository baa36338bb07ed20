// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.awaitility.Awaitility;

/** HDFS with one datanode, on loopback, until it is closed. */
final class TestHdfs implements AutoCloseable {
    private static final String ANY_PORT = "127.0.0.1:0";

    private final NameNode namenode;
    private final DataNode datanode;

    private TestHdfs(NameNode namenode, DataNode datanode) {
        this.namenode = namenode;
        this.datanode = datanode;
    }

    /**
     * Starts it.
     *
     * @param state an empty directory, for all that it writes
     */
    static TestHdfs start(Path state) throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true); // formatting and serving register the same
        Configuration ofNamenode = configuration(state, ANY_PORT);
        NameNode.format(ofNamenode);
        NameNode namenode = NameNode.createNameNode(new String[0], ofNamenode);
        try {
            Configuration ofDatanode =
                    configuration(state, "127.0.0.1:" + namenode.getNameNodeAddress().getPort());
            DataNode datanode = DataNode.createDataNode(new String[0], ofDatanode);
            Awaitility.await().until(datanode::isDatanodeFullyStarted);
            return new TestHdfs(namenode, datanode);
        } catch (IOException | RuntimeException e) {
            namenode.stop();
            throw e;
        }
    }

    private static Configuration configuration(Path state, String namenode) {
        Configuration hdfs = new Configuration();
        hdfs.set("fs.defaultFS", "hdfs://" + namenode);
        hdfs.set("hadoop.tmp.dir", state.resolve("tmp").toString());
        hdfs.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
        hdfs.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, namenode);
        hdfs.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, state.resolve("name").toUri().toString());
        hdfs.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, state.resolve("data").toUri().toString());
        return hdfs;
    }

    /** {@code hdfs://host:port}. */
    URI uri() {
        return URI.create("hdfs://127.0.0.1:" + namenode.getNameNodeAddress().getPort());
    }

    @Override
    public void close() {
        datanode.shutdown();
        namenode.stop();
    }
}
