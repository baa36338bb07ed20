// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.config;

import io.crail.client.ClientConfig;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.ConfigurationLoader;
import io.crail.protocol.config.Setting;
import io.crail.protocol.config.Spelling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * What an application said, checked. Sizes are in bytes.
 *
 * @param client how to reach the cluster
 * @param shuffle whether shuffle blocks are kept in crail
 * @param broadcast whether broadcasts are kept in crail
 * @param broadcastMin size of a value from which on it is
 * @param directory where applications make their directories
 * @param storageClass of what is written, if the application chose one
 * @param maxStreams partitions up to which each has an open stream
 * @param bufferSize largest buffer of a partition
 * @param writeInFlight bytes of a map task on their way
 * @param readInFlight bytes that a reduce task fetches ahead
 * @param views whether memory of the host is read in place
 * @param openOutputs map outputs that an executor keeps open
 * @param indexMemory heap for their indexes
 * @param basicTypes whether records of basic types go without Kryo
 * @param warmUp whether an executor tries the way of records when it starts
 * @param sorter class that sorts records of a fixed size
 * @param bufferPool direct memory that is kept while it is not in use
 */
public record CrailSettings(
        ClientConfig client,
        boolean shuffle,
        boolean broadcast,
        long broadcastMin,
        String directory,
        OptionalInt storageClass,
        int maxStreams,
        int bufferSize,
        long writeInFlight,
        long readInFlight,
        boolean views,
        int openOutputs,
        long indexMemory,
        boolean basicTypes,
        boolean warmUp,
        String sorter,
        long bufferPool) {
    /** Whether any part of it uses crail. */
    public boolean anything() {
        return shuffle || broadcast;
    }

    /** What all settings begin with. */
    public static final String PREFIX = "spark.crail.";

    private static final List<String> PASSED_ON = List.of("client.", "security.");

    /** Set by the driver for its executors: see {@link #applicationDirectory}. */
    private static final String APPLICATION = "spark.crail.internal.applicationDirectory";

    private static final long DEFAULT_NETWORK_TIMEOUT_SECONDS = 120;
    private static final int MIN_BUFFER = 64 << 10;
    private static final int MAX_BUFFER = 1 << 20;

    /**
     * Reads the settings.
     *
     * @throws InvalidArgumentException for one that does not exist or has an impossible value
     */
    public static CrailSettings of(SparkConf conf) throws InvalidArgumentException {
        List<Setting> passedOn = new ArrayList<>();
        for (Tuple2<String, String> each : conf.getAllWithPrefix(PREFIX)) {
            String key = each._1();
            if (PASSED_ON.stream().anyMatch(key::startsWith)) {
                passedOn.add(Setting.ofCommandLine(key, each._2(), PREFIX + key));
            } else {
                checkName(PREFIX + key);
            }
        }
        Configuration values = new ConfigurationLoader(Map.of()).commandLine(passedOn).load();
        return new CrailSettings(
                clientConfig(conf, values),
                SparkKey.SHUFFLE.flag(conf),
                SparkKey.BROADCAST.flag(conf),
                SparkKey.BROADCAST_MIN.bytes(conf, 0, 1L << 40),
                directory(conf),
                storageClass(conf),
                SparkKey.STREAMS.number(conf, 1, 1 << 16),
                Integer.highestOneBit((int) SparkKey.BUFFER.bytes(conf, MIN_BUFFER, MAX_BUFFER)),
                SparkKey.WRITE_IN_FLIGHT.bytes(conf, 0, 1L << 32),
                readInFlight(conf),
                SparkKey.VIEWS.flag(conf),
                SparkKey.OPEN_OUTPUTS.number(conf, 1, 1 << 20),
                SparkKey.INDEXES.bytes(conf, 0, 1L << 40),
                basicTypes(conf),
                SparkKey.WARM_UP.flag(conf),
                SparkKey.SORTER.text(conf),
                SparkKey.POOL.bytes(conf, 0, 1L << 40));
    }

    private static void checkName(String key) throws InvalidArgumentException {
        Set<String> known = SparkKey.ALL.stream().map(SparkKey::name).collect(Collectors.toSet());
        if (!known.contains(key) && !key.equals(APPLICATION)) {
            throw new InvalidArgumentException(
                    "there is no setting "
                            + key
                            + Spelling.nearest(key, known)
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse(
                                            "; settings of the client begin with "
                                                    + PREFIX
                                                    + "client."));
        }
    }

    private static ClientConfig clientConfig(SparkConf conf, Configuration values)
            throws InvalidArgumentException {
        List<String> namenodes = List.of(SparkKey.NAMENODES.text(conf).split("\\s*,\\s*", -1));
        if (namenodes.equals(List.of(""))) {
            throw new InvalidArgumentException(
                    SparkKey.NAMENODES.name()
                            + " is not set: say where the namenode is, for example by --conf "
                            + SparkKey.NAMENODES.name()
                            + "=host:9060");
        }
        try {
            return ClientConfig.builder(values)
                    .namenodes(namenodes)
                    .clientName("spark-" + ProcessHandle.current().pid())
                    .sessionTimeout(sessionTimeout(conf, values))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(
                    "settings of the crail client: " + e.getMessage(), e);
        }
    }

    /** Who is not yet dead for Spark must not be dead for the store. */
    private static Duration sessionTimeout(SparkConf conf, Configuration values) {
        Duration wanted = values.get(io.crail.protocol.config.ClientKeys.SESSION_TIMEOUT);
        Duration network =
                Duration.ofSeconds(
                        conf.getTimeAsSeconds(
                                "spark.network.timeout", DEFAULT_NETWORK_TIMEOUT_SECONDS + "s"));
        return wanted.compareTo(network) > 0 ? wanted : network;
    }

    private static String directory(SparkConf conf) throws InvalidArgumentException {
        String path = SparkKey.DIRECTORY.text(conf);
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new InvalidArgumentException(
                    SparkKey.DIRECTORY.name()
                            + " is '"
                            + path
                            + "', must begin with / and be more than that");
        }
        return path;
    }

    private static OptionalInt storageClass(SparkConf conf) throws InvalidArgumentException {
        return SparkKey.STORAGE_CLASS.text(conf).isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(SparkKey.STORAGE_CLASS.number(conf, 0, 255));
    }

    private static long readInFlight(SparkConf conf) throws InvalidArgumentException {
        return SparkKey.READ_IN_FLIGHT.text(conf).isEmpty()
                ? conf.getSizeAsMb("spark.reducer.maxSizeInFlight", "48m") << 20
                : SparkKey.READ_IN_FLIGHT.bytes(conf, 1 << 20, 1L << 32);
    }

    /** A registrator may have Kryo do with such types what it likes. */
    private static boolean basicTypes(SparkConf conf) throws InvalidArgumentException {
        return SparkKey.BASIC_TYPES.flag(conf) && conf.get("spark.kryo.registrator", "").isEmpty();
    }

    /** Tells executors, by the configuration that they will get, which directory is theirs. */
    public static void setApplicationDirectory(SparkConf conf, String path) {
        conf.set(APPLICATION, path);
    }

    /**
     * The directory of the application.
     *
     * @throws InvalidArgumentException if the driver's part of the plug-in has not run
     */
    public static String applicationDirectory(SparkConf conf) throws InvalidArgumentException {
        String path = conf.get(APPLICATION, "");
        if (path.isEmpty()) {
            throw new InvalidArgumentException(
                    "the shuffle manager of crail is in use, but its plug-in is not: set"
                            + " spark.plugins=io.crail.spark.CrailSparkPlugin and leave"
                            + " spark.shuffle.manager alone");
        }
        return path;
    }
}
