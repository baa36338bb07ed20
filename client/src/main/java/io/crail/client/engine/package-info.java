// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The client's engine room: who polls, who waits, whose continuation runs where, and the direct
 * memory. The rest of the client enters with a {@link io.crail.client.engine.Strand} (whose turn)
 * and an {@link io.crail.client.engine.Operation} (how long, what for); transports enter through
 * the SPI. Completions pass from the polling thread to the strand they belong to.
 */
@NullMarked
package io.crail.client.engine;

import org.jspecify.annotations.NullMarked;
