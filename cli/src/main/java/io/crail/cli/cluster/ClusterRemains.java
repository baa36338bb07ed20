// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.client.local.LocalCluster;
import io.crail.client.local.ProcessMark;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a cluster leaves whose starter is gone: its servers end by themselves, and the last one
 * removes all files. Each of them takes its pid file away under the lock of the cluster, and then
 * looks for others: so exactly one of those that end at the same time finds none.
 *
 * @param directory of the cluster
 */
public record ClusterRemains(Path directory) {
    /** This process, a server of the cluster, has closed its server and ends. */
    public void leave() throws IOException {
        LocalCluster cluster = LocalCluster.read(directory);
        if (cluster == null) {
            return;
        }
        try (FileChannel file =
                        FileChannel.open(
                                ClusterStart.lockFile(directory), StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            removeOwnMark(cluster);
            boolean last =
                    lock.isValid()
                            && cluster.processNames().stream()
                                    .allMatch(name -> cluster.process(name) == null);
            if (last) {
                new ClusterStop(cluster).removeFiles();
            }
        } catch (NoSuchFileException e) {
            // The last one was faster.
        }
    }

    private static void removeOwnMark(LocalCluster cluster) throws IOException {
        long self = ProcessHandle.current().pid();
        for (String name : cluster.processNames()) {
            ProcessMark mark = cluster.mark(name);
            if (mark != null && mark.pid() == self) {
                Files.deleteIfExists(LocalCluster.pidFile(cluster.directory(), name));
            }
        }
    }
}
