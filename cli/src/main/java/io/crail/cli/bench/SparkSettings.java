// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.spark.Shape;
import io.crail.bench.spark.Side;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.Endpoint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How applications are set: as Spark is shipped, but for what a machine by itself needs, and what
 * switches crail on.
 *
 * @param namenode of the cluster
 * @param values configuration of crail's clients
 * @param jars directory with the class path of driver and executors
 * @param wanted settings of Spark for both sides that a user wants besides
 */
record SparkSettings(String namenode, Configuration values, Path jars, Map<String, String> wanted) {
    private static final String PREFIX = "spark.";
    private static final String PLUGIN = "io.crail.spark.CrailSparkPlugin";
    private static final String LOOPBACK = "127.0.0.1";
    private static final String TEMPORARY = "-Djava.io.tmpdir=";

    /** As Spark's own launcher opens modules (org.apache.spark.launcher.JavaModuleOptions). */
    private static final List<String> OPEN =
            List.of(
                    "java.lang",
                    "java.lang.invoke",
                    "java.lang.reflect",
                    "java.io",
                    "java.net",
                    "java.nio",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.concurrent.atomic",
                    "jdk.internal.ref",
                    "sun.nio.ch",
                    "sun.nio.cs",
                    "sun.security.action",
                    "sun.util.calendar");

    /** What makes the two sides comparable, and finds what they consist of. */
    private static final Set<String> OURS =
            Set.of(
                    "spark.master",
                    "spark.app.name",
                    "spark.executor.memory",
                    "spark.executor.cores",
                    "spark.executor.instances",
                    "spark.executor.extraClassPath",
                    "spark.driver.memory",
                    "spark.driver.host",
                    "spark.driver.bindAddress",
                    "spark.local.dir",
                    "spark.sql.warehouse.dir",
                    "spark.plugins",
                    "spark.crail.namenodes");

    /** The same, of applications of another cluster. */
    SparkSettings with(Endpoint other) {
        return new SparkSettings(other.toString(), values, jars, wanted);
    }

    /**
     * Refuses settings that nobody can want for both sides.
     *
     * @throws InvalidArgumentException if it is not a setting of Spark, or one of the benchmark's
     *     own
     */
    static void check(Map<String, String> wanted) throws InvalidArgumentException {
        for (String key : wanted.keySet()) {
            if (!key.startsWith(PREFIX)) {
                throw new InvalidArgumentException(
                        "--conf " + key + ": settings of Spark begin with " + PREFIX);
            }
            if (OURS.contains(key)) {
                throw new InvalidArgumentException(
                        "--conf " + key + ": the benchmark sets this itself, for both sides");
            }
        }
    }

    /**
     * Flags of the JVM of a driver.
     *
     * @param temporary directory for its temporary files
     */
    static List<String> flags(Shape shape, Path temporary) {
        List<String> flags = new ArrayList<>();
        flags.add("-Xmx" + shape.driverMebibytes() + "m");
        flags.add(TEMPORARY + temporary);
        flags.add("-Djdk.reflect.useDirectMethodHandle=false");
        flags.add("-Dio.netty.tryReflectionSetAccessible=true");
        OPEN.forEach(each -> flags.add("--add-opens=java.base/" + each + "=ALL-UNNAMED"));
        return flags;
    }

    /** For driver and executors. */
    String classPath() {
        return jars.resolve("*").toString();
    }

    /**
     * Settings of an application.
     *
     * @param local its directory for files
     * @param temporary directory for temporary files of its JVMs: native libraries that they
     *     unpack, for example, so programs may be started from there
     */
    Map<String, String> of(Side side, Shape shape, Path local, Path temporary) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.master", shape.master());
        settings.put("spark.app.name", "bench " + side.text());
        settings.put("spark.executor.memory", shape.heapMebibytes() + "m");
        settings.put("spark.executor.extraClassPath", classPath());
        // Not spark.executor.extraJavaOptions, which are the user's, and come behind these. Quoted,
        // since Spark takes them apart as a shell does.
        settings.put("spark.executor.defaultJavaOptions", "'" + TEMPORARY + temporary + "'");
        settings.put("spark.driver.host", LOOPBACK);
        settings.put("spark.driver.bindAddress", LOOPBACK);
        settings.put("spark.ui.enabled", "false");
        settings.put("spark.local.dir", local.toString());
        settings.put("spark.sql.warehouse.dir", local.resolve("warehouse").toString());
        settings.putAll(wanted);
        if (side == Side.CRAIL || side == Side.CRAIL_FLASH) {
            settings.put("spark.plugins", PLUGIN);
            settings.put("spark.crail.namenodes", namenode);
            ClientSettings.of(values)
                    .forEach((key, value) -> settings.putIfAbsent("spark.crail." + key, value));
        }
        return settings;
    }
}
