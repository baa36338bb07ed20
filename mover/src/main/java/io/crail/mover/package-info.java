// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Moves blocks between storage classes in the background (docs/adr/0020-tiering.md).
 *
 * <p>Who runs a storage server, or a command, enters with {@link io.crail.mover.MoverConfig} and
 * {@link io.crail.mover.Mover}. A plan comes from the namenode; its bytes pass through the buffers
 * of an ordinary client, from one storage server to another; what is swapped, the namenode decides.
 */
@NullMarked
package io.crail.mover;

import org.jspecify.annotations.NullMarked;
