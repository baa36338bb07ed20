// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.namenode.access.Permissions;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/** One cluster for all tests of the JVM, which ends with it. It enforces rights. */
public final class TestCluster {
    private static @Nullable EmbeddedCluster cluster;

    private TestCluster() {}

    /** The cluster. */
    public static synchronized EmbeddedCluster get() {
        EmbeddedCluster running = cluster;
        if (running == null) {
            try {
                running =
                        EmbeddedCluster.builder()
                                .servers(2)
                                .capacity(512L << 20)
                                .namenode(settings -> settings.permissions(Permissions.ENFORCE))
                                .start();
            } catch (CrailException e) {
                throw new IllegalStateException("the test cluster does not start", e);
            }
            cluster = running;
            Runtime.getRuntime().addShutdownHook(new Thread(running::close, "end of the cluster"));
        }
        return running;
    }

    /** {@code crail://host:port}. */
    public static URI uri() {
        return URI.create("crail://" + get().namenode());
    }

    /** A configuration whose default file system is the cluster, and no other. */
    public static Configuration configuration() {
        return configure(new Configuration());
    }

    /** As {@link #configuration()}, of one that exists. */
    public static Configuration configure(Configuration configuration) {
        configuration.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, uri().toString());
        return configuration;
    }

    /**
     * A file system of the cluster, of its own, which the caller closes.
     *
     * @throws IOException if it does not answer
     */
    public static CrailFileSystem open(Configuration configuration) throws IOException {
        return (CrailFileSystem) FileSystem.newInstance(uri(), configuration);
    }
}
