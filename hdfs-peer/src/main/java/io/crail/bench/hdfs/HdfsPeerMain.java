// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hdfs;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of HDFS: {@code namenode DIRECTORY} or {@code datanode DIRECTORY NAMENODE}.
 *
 * <p>The directory is there, and becomes the server's own. It serves for whoever holds its standard
 * input, and nobody has to stop it: when the input ends, for whatever reason, it removes the
 * directory and ends. So nothing stays when a benchmark is killed.
 */
public final class HdfsPeerMain {
    private static final String NAMENODE = "namenode";
    private static final String DATANODE = "datanode";
    private static final Duration READY = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 20;
    private static final int USAGE = 64;
    private static final int FAILED = 1;

    private static final Logger LOG = LoggerFactory.getLogger(HdfsPeerMain.class);

    private HdfsPeerMain() {}

    /**
     * Serves until standard input ends.
     *
     * @param arguments the role, the directory, and for a datanode the address of the namenode
     */
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        boolean isNamenode = words.size() == 2 && words.get(0).equals(NAMENODE);
        boolean isDatanode = words.size() == 3 && words.get(0).equals(DATANODE);
        if (!isNamenode && !isDatanode) {
            System.err.println("usage: namenode DIRECTORY | datanode DIRECTORY NAMENODE");
            Runtime.getRuntime().halt(USAGE);
        }
        Path state = Path.of(words.get(1)).toAbsolutePath();
        // A signal ends it as well as its input does, also while it starts.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> StateRemoval.of(state)));
        new Thread(() -> endWithInput(state), "end of input").start();
        try {
            String address = isNamenode ? namenode(state) : datanode(state, words.get(2));
            System.out.println("ready " + address);
            System.out.flush();
        } catch (IOException e) {
            // The directory holds what tells why; whoever waits for this server removes it.
            LOG.error("the {} does not serve", words.get(0), e);
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private static void endWithInput(Path state) {
        try {
            while (System.in.read() >= 0) {
                // Nobody says anything.
            }
        } catch (IOException e) {
            LOG.error("standard input", e);
        }
        StateRemoval.of(state);
        // Without an orderly end: there is nothing worth to be saved.
        Runtime.getRuntime().halt(0);
    }

    private static String namenode(Path state) throws IOException {
        var configuration = PeerConfiguration.namenode(state);
        // Formatting and serving register the same metrics; two processes would do, and take
        // longer.
        DefaultMetricsSystem.setMiniClusterMode(true);
        NameNode.format(configuration);
        NameNode server = NameNode.createNameNode(new String[0], configuration);
        return "127.0.0.1:" + server.getNameNodeAddress().getPort();
    }

    private static String datanode(Path state, String namenode) throws IOException {
        DataNode server =
                DataNode.createDataNode(new String[0], PeerConfiguration.datanode(state, namenode));
        long end = System.nanoTime() + READY.toNanos();
        while (!server.isDatanodeFullyStarted()) {
            if (System.nanoTime() - end > 0) {
                throw new IOException(
                        "the datanode did not register with " + namenode + " within " + READY);
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        return "127.0.0.1:" + server.getXferPort();
    }
}
