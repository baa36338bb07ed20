// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Clients that are stopped (SIGSTOP) at any instruction, sleep while what they held is taken from
 * them and given to others, and go on with what they believed. {@code StoppedWriterTest} and {@code
 * StoppedReaderTest} begin the rounds; the {@code Main} classes run in processes of their own and
 * are watched from outside by a {@code Sleeper}. All bytes are {@code Stamped}, so that each tells
 * whose it is.
 */
@NullMarked
package io.crail.system.stopped;

import org.jspecify.annotations.NullMarked;
