// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master$;
import org.apache.spark.deploy.worker.Worker$;
import org.apache.spark.rpc.RpcEnv;

/**
 * A master and two workers of Spark in this JVM; their executors are processes. Each worker has an
 * address of loopback of its own, since Spark speculates on other hosts only.
 */
final class SparkCluster implements AutoCloseable {
    private static final int WORKERS = 2;
    private static final int MEGABYTES = 1024;

    private final List<RpcEnv> parts = new ArrayList<>();
    private final String url;

    /**
     * Starts it.
     *
     * @param work a directory for the logs of executors
     */
    SparkCluster(SparkConf configuration, Path work) throws IOException {
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        RpcEnv master =
                Master$.MODULE$.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, configuration)._1();
        parts.add(master);
        url = "spark://127.0.0.1:" + master.address().port();
        for (int i = 1; i <= WORKERS; i++) {
            parts.add(
                    Worker$.MODULE$.startRpcEnvAndEndpoint(
                            "127.0.0." + i,
                            0,
                            0,
                            1,
                            MEGABYTES,
                            new String[] {url},
                            work.toString(),
                            scala.Option.apply(i),
                            configuration,
                            scala.Option.empty()));
        }
    }

    /** Address of the master. */
    String url() {
        return url;
    }

    @Override
    public void close() {
        for (int i = parts.size() - 1; i >= 0; i--) {
            parts.get(i).shutdown();
            parts.get(i).awaitTermination();
        }
    }
}
