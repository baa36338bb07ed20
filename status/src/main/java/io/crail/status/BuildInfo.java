// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

/** Which program answers. */
public final class BuildInfo {
    public static final Metric METRIC =
            Metric.gauge(
                    "crail_build_info",
                    "Always 1; the labels say what runs.",
                    "role",
                    "version",
                    "java");

    private BuildInfo() {}

    static String version() {
        String version = BuildInfo.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    static String java() {
        return Integer.toString(Runtime.version().feature());
    }
}
