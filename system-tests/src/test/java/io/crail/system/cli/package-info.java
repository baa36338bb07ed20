// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the command as processes: bin/crail, local clusters, the quickstart, signals.
 *
 * <p>Each test has a state directory of its own, so that it neither sees nor ends what anybody else
 * runs on the machine.
 */
@NullMarked
package io.crail.system.cli;

import org.jspecify.annotations.NullMarked;
