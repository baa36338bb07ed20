// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import java.util.List;

/** Whether this Java is new enough. */
final class JavaCheck implements Check {
    private static final Runtime.Version OLDEST = Runtime.Version.parse("17");

    /** Older updates of 17 run, but lack two years of corrections. */
    private static final Runtime.Version CORRECTED = Runtime.Version.parse("17.0.11");

    private final Runtime.Version version;

    JavaCheck(Runtime.Version version) {
        this.version = version;
    }

    @Override
    public String subject() {
        return "java";
    }

    @Override
    public List<Finding> look() {
        if (version.compareToIgnoreOptional(CORRECTED) >= 0) {
            return List.of(Finding.ok("Java " + version));
        }
        String what = "Java " + version + " is older than ";
        String remedy = "install Java " + CORRECTED + " or newer, and set JAVA_HOME to it";
        return List.of(
                version.compareToIgnoreOptional(OLDEST) < 0
                        ? Finding.problem(what + OLDEST, remedy)
                        : Finding.warning(what + CORRECTED, remedy));
    }
}
