// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * A whole cluster in one thread, on a virtual clock: the real client, namenode and storage code on
 * a simulated network, so that a seed names a run bit for bit. Tests enter with a {@link
 * io.crail.system.simulation.Scenario}; bytes pass through {@link
 * io.crail.system.simulation.Machine}s, where a {@link io.crail.system.simulation.FaultPlan} gets
 * at them.
 */
@NullMarked
package io.crail.system.simulation;

import org.jspecify.annotations.NullMarked;
