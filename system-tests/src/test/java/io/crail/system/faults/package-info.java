// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What broke in the predecessor, and what breaks in the field: names that collide, full stores,
 * strangers at the port, processes that are killed, paused and restarted. Each test does the same
 * thing to real servers and expects the right outcome.
 */
@NullMarked
package io.crail.system.faults;

import org.jspecify.annotations.NullMarked;
