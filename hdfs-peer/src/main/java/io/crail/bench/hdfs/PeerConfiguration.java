// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hdfs;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * What servers of HDFS are told: one copy, loopback, ports that are free, and where their files
 * lie. All else is as HDFS has it.
 */
final class PeerConfiguration {
    private static final String ANY_PORT = "127.0.0.1:0";

    private PeerConfiguration() {}

    /** For a namenode. */
    static Configuration namenode(Path state) {
        Configuration hdfs = common(state, "hdfs://" + ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, state.resolve("name").toUri().toString());
        return hdfs;
    }

    /** For a datanode of the namenode with that address. */
    static Configuration datanode(Path state, String namenode) {
        Configuration hdfs = common(state, "hdfs://" + namenode);
        hdfs.set(DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY, ANY_PORT);
        hdfs.set(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY, state.resolve("data").toUri().toString());
        return hdfs;
    }

    private static Configuration common(Path state, String fileSystem) {
        Configuration hdfs = new Configuration();
        hdfs.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, fileSystem);
        hdfs.set("hadoop.tmp.dir", state.resolve("tmp").toString());
        hdfs.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
        return hdfs;
    }
}
