// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.spark.Shape;
import io.crail.bench.spark.Side;
import io.crail.protocol.config.Configuration;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How applications are set: as Spark is shipped, but for what a machine by itself needs, and what
 * switches crail on.
 *
 * @param namenode of the cluster
 * @param values configuration of crail's clients
 * @param jars directory with the class path of driver and executors
 */
record SparkSettings(String namenode, Configuration values, Path jars) {
    private static final String PLUGIN = "io.crail.spark.CrailSparkPlugin";
    private static final String LOOPBACK = "127.0.0.1";

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

    /** Flags of the JVM of a driver. */
    static List<String> flags(Shape shape) {
        List<String> flags = new ArrayList<>();
        flags.add("-Xmx" + shape.driverMebibytes() + "m");
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
     */
    Map<String, String> of(Side side, Shape shape, Path local) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spark.master", shape.master());
        settings.put("spark.app.name", "bench " + side.text());
        settings.put("spark.executor.memory", shape.heapMebibytes() + "m");
        settings.put("spark.executor.extraClassPath", classPath());
        settings.put("spark.driver.host", LOOPBACK);
        settings.put("spark.driver.bindAddress", LOOPBACK);
        settings.put("spark.ui.enabled", "false");
        settings.put("spark.local.dir", local.toString());
        settings.put("spark.sql.warehouse.dir", local.resolve("warehouse").toString());
        if (side == Side.CRAIL) {
            settings.put("spark.plugins", PLUGIN);
            settings.put("spark.crail.namenodes", namenode);
            ClientSettings.of(values)
                    .forEach((key, value) -> settings.put("spark.crail." + key, value));
        }
        return settings;
    }
}
