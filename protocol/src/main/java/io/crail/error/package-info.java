// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The errors of crail: one tree rooted in {@link io.crail.error.CrailException}, one {@link
 * io.crail.error.ErrorCode} on the wire for each class. Servers throw them, the frame layer carries
 * code and message, the client throws the same class again. Decisions are made by class or code,
 * never by message text. A message says what failed, on what, why, and what to do next.
 */
@NullMarked
package io.crail.error;

import org.jspecify.annotations.NullMarked;
