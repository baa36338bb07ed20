// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Programs that measure a real cluster, started by hand and not by the build. Each prints its
 * machine's limit for the same work beside its numbers. Nobody else enters.
 */
@NullMarked
package io.crail.system.speed;

import org.jspecify.annotations.NullMarked;
