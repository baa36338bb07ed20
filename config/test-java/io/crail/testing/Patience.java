// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets tests wait for long. What a test waits for comes in milliseconds, but on a machine that is
 * shared a JVM may stand still for seconds; that is no failure. The bound is less than the timeout
 * of a test (junit-platform.properties), so that the condition is named that did not come.
 */
public final class Patience implements LauncherSessionListener {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(LONG);
    }
}
