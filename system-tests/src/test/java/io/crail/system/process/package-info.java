// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Real servers for tests: each in a JVM of its own, started through the {@code crail} command,
 * stopped, paused, killed and restarted at will. A failing test finds their logs in its message.
 */
@NullMarked
package io.crail.system.process;

import org.jspecify.annotations.NullMarked;
