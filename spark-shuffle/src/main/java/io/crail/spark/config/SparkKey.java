// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.config;

import io.crail.error.InvalidArgumentException;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;

/**
 * A setting of an application.
 *
 * @param name {@code spark.crail.*}
 * @param defaultText the default, as the application would write it
 * @param meaning one sentence
 */
public record SparkKey(String name, String defaultText, String meaning) {
    static final SparkKey NAMENODES =
            new SparkKey(
                    "spark.crail.namenodes",
                    "",
                    "Namenodes to connect to, host:port each, with commas between; necessary.");

    static final SparkKey SHUFFLE =
            new SparkKey(
                    "spark.crail.shuffle.enabled",
                    "true",
                    "Whether shuffle blocks are kept in crail.");

    static final SparkKey BROADCAST =
            new SparkKey(
                    "spark.crail.broadcast.enabled",
                    "true",
                    "Whether broadcasts are kept in crail.");

    static final SparkKey BROADCAST_MIN =
            new SparkKey(
                    "spark.crail.broadcast.minSize",
                    "4m",
                    "Bytes of a serialised value from which on its broadcast is kept in crail;"
                            + " smaller ones are left to Spark.");

    static final SparkKey DIRECTORY =
            new SparkKey(
                    "spark.crail.directory",
                    "/spark",
                    "Directory in which each application makes one of its own.");

    static final SparkKey STORAGE_CLASS =
            new SparkKey(
                    "spark.crail.storageClass",
                    "",
                    "Storage class 0..255 of all that the application writes; empty takes that"
                            + " of the directory.");

    static final SparkKey STREAMS =
            new SparkKey(
                    "spark.crail.shuffle.write.maxStreams",
                    "256",
                    "Partitions up to which a map task keeps a stream open for each; for more it"
                            + " orders the records by partition first.");

    static final SparkKey BUFFER =
            new SparkKey(
                    "spark.crail.shuffle.write.bufferSize",
                    "1m",
                    "Largest buffer of a partition, and size of the writes; 64k..1m.");

    static final SparkKey WRITE_IN_FLIGHT =
            new SparkKey(
                    "spark.crail.shuffle.write.maxBytesInFlight",
                    "16m",
                    "Bytes that a map task has on their way to the store while it computes on.");

    static final SparkKey READ_IN_FLIGHT =
            new SparkKey(
                    "spark.crail.shuffle.read.maxBytesInFlight",
                    "",
                    "Bytes that a reduce task fetches ahead; empty takes"
                            + " spark.reducer.maxSizeInFlight.");

    static final SparkKey VIEWS =
            new SparkKey(
                    "spark.crail.shuffle.read.views",
                    "true",
                    "Whether reduce tasks read what is memory of their host in place instead of"
                            + " copying it first.");

    static final SparkKey OPEN_OUTPUTS =
            new SparkKey(
                    "spark.crail.shuffle.read.openOutputs",
                    "4096",
                    "Map outputs that an executor keeps open for its next tasks.");

    static final SparkKey INDEXES =
            new SparkKey(
                    "spark.crail.shuffle.read.indexMemory",
                    "64m",
                    "Bytes of heap for the indexes of map outputs that are open.");

    static final SparkKey BASIC_TYPES =
            new SparkKey(
                    "spark.crail.shuffle.basicTypes",
                    "true",
                    "Whether records of primitives, strings and arrays of primitives are written"
                            + " and read without Kryo.");

    static final SparkKey WARM_UP =
            new SparkKey(
                    "spark.crail.shuffle.warmUp",
                    "true",
                    "Whether an executor takes 500 records through a shuffle of its own when it starts, so"
                            + " that the first tasks find all that loaded and connected.");

    static final SparkKey SORTER =
            new SparkKey(
                    "spark.crail.shuffle.sorter",
                    "io.crail.spark.sort.ByteOrderSorter",
                    "Class that sorts records of a fixed size by the bytes of their keys; spark"
                            + " leaves that to Spark's own sorter.");

    static final SparkKey POOL =
            new SparkKey(
                    "spark.crail.bufferPool",
                    "128m",
                    "Bytes of direct memory that an executor keeps for buffers that are not in use"
                            + " just now.");

    /** All, in the order in which they are documented. */
    public static final List<SparkKey> ALL =
            List.of(
                    NAMENODES,
                    SHUFFLE,
                    BROADCAST,
                    BROADCAST_MIN,
                    DIRECTORY,
                    STORAGE_CLASS,
                    STREAMS,
                    BUFFER,
                    WRITE_IN_FLIGHT,
                    READ_IN_FLIGHT,
                    VIEWS,
                    OPEN_OUTPUTS,
                    INDEXES,
                    BASIC_TYPES,
                    WARM_UP,
                    SORTER,
                    POOL);

    String text(SparkConf conf) {
        return conf.get(name, defaultText).strip();
    }

    boolean flag(SparkConf conf) throws InvalidArgumentException {
        return switch (text(conf)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw wrong(conf, "true or false");
        };
    }

    int number(SparkConf conf, int min, int max) throws InvalidArgumentException {
        try {
            int value = Integer.parseInt(text(conf));
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw wrong(conf, "a number from " + min + " to " + max);
    }

    long bytes(SparkConf conf, long min, long max) throws InvalidArgumentException {
        try {
            long value = JavaUtils.byteStringAsBytes(text(conf));
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw wrong(conf, "a size such as 64m, from " + min + " to " + max + " bytes");
    }

    private InvalidArgumentException wrong(SparkConf conf, String right) {
        return new InvalidArgumentException(
                name + " is '" + text(conf) + "', must be " + right + ". " + meaning);
    }
}
