// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master$;
import org.apache.spark.deploy.worker.Worker$;
import org.apache.spark.rpc.RpcEnv;
import scala.Option;

/**
 * A standalone cluster of Spark whose two workers are on hosts of different names, since Spark runs
 * a second attempt of a task on another host or not at all. Executors are processes.
 */
final class TwoHosts implements AutoCloseable {
    private static final List<String> HOSTS = List.of("127.0.0.1", "127.0.0.2");
    private static final int CORES = 2;
    private static final int MEGABYTES = 1024;

    private final List<RpcEnv> environments = new ArrayList<>();
    private final String master;

    private TwoHosts(String master) {
        this.master = master;
    }

    /**
     * Starts the cluster.
     *
     * @param directory for files of the workers
     */
    static TwoHosts start(Path directory, SparkConf conf) {
        SparkConf ours = conf.clone().set("spark.master.rest.enabled", "false");
        RpcEnv masterEnvironment =
                Master$.MODULE$.startRpcEnvAndEndpoint(HOSTS.get(0), 0, 0, ours)._1();
        String url = "spark://" + HOSTS.get(0) + ":" + masterEnvironment.address().port();
        TwoHosts cluster = new TwoHosts(url);
        cluster.environments.add(masterEnvironment);
        for (String host : HOSTS) {
            cluster.environments.add(
                    0,
                    Worker$.MODULE$.startRpcEnvAndEndpoint(
                            host,
                            0,
                            0,
                            CORES,
                            MEGABYTES,
                            new String[] {url},
                            directory.resolve(host).toString(),
                            Option.apply(cluster.environments.size()),
                            ours,
                            Option.empty()));
        }
        return cluster;
    }

    /** What an application calls its master. */
    String master() {
        return master;
    }

    @Override
    public void close() {
        environments.forEach(RpcEnv::shutdown);
        environments.forEach(RpcEnv::awaitTermination);
    }
}
