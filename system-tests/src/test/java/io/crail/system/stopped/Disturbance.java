// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import io.crail.system.process.ProcessCluster;
import java.util.List;
import java.util.Random;

/**
 * Servers that are killed and restarted while a client sleeps.
 *
 * @param storage whether the storage server is
 * @param namenode whether the namenode is
 * @param when relative to the taking away of what the sleeper held
 */
record Disturbance(boolean storage, boolean namenode, When when) {
    enum When {
        BEFORE,
        /** The storage server is away meanwhile. */
        MEANWHILE,
        AFTER;

        private static final List<When> ALL = List.of(values());

        static When any(Random random) {
            return ALL.get(random.nextInt(ALL.size()));
        }
    }

    /** Of each kind of fate, half with the storage server, and some with both. */
    static Disturbance of(int round, int fates, When when) {
        boolean storage = (round + round / fates) % 2 == 0;
        return new Disturbance(storage, round % 5 == 3, when);
    }

    void around(ProcessCluster cluster, Runnable takeAway) {
        if (when == When.BEFORE) {
            kill(cluster);
            restart(cluster);
            takeAway.run();
        } else if (when == When.AFTER) {
            takeAway.run();
            kill(cluster);
            restart(cluster);
        } else {
            if (storage) {
                cluster.killStorage(0);
            }
            takeAway.run();
            if (namenode) {
                cluster.killNamenode();
            }
            restart(cluster);
        }
    }

    private void kill(ProcessCluster cluster) {
        if (storage) {
            cluster.killStorage(0);
        }
        if (namenode) {
            cluster.killNamenode();
        }
    }

    private void restart(ProcessCluster cluster) {
        if (namenode) {
            cluster.restartNamenode();
        }
        if (storage) {
            cluster.restartStorage(0);
        }
        if (storage || namenode) {
            cluster.awaitLive(1);
        }
    }
}
