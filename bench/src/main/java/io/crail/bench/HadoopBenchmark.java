// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench;

import io.crail.bench.stage.Progress;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures crail through the API of Hadoop. Found by ServiceLoader, since it needs Hadoop's jars,
 * which no other command has on its class path.
 */
public interface HadoopBenchmark {
    /**
     * What to measure.
     *
     * @param rows names; all if it is empty
     * @param quick whether few and short batches are enough, to see that it works
     * @param hdfs where the jars of HDFS's servers are; null = do not compare with HDFS
     */
    record Wish(List<String> rows, boolean quick, @Nullable Path hdfs) {
        public Wish {
            rows = List.copyOf(rows);
        }
    }

    /**
     * The cluster that is measured.
     *
     * @param namenode where its namenode listens, {@code HOST:PORT}
     * @param settings what has been set of the keys {@code client.*} and {@code security.*}
     * @param servers its servers, for clients with the same settings
     */
    record Cluster(String namenode, Map<String, String> settings, Servers servers) {
        public Cluster {
            settings = Map.copyOf(settings);
        }
    }

    /** What {@link #run} needs of a storage server. */
    long capacity(Wish wish);

    /**
     * The names of the rows that will be measured.
     *
     * @throws InvalidArgumentException if there is no row of one of the names
     */
    List<String> rows(Wish wish) throws InvalidArgumentException;

    /**
     * Measures them. What it puts into the cluster it leaves there.
     *
     * @param progress told of each row
     */
    List<Result> run(Wish wish, Cluster cluster, Progress<Result> progress) throws IOException;
}
