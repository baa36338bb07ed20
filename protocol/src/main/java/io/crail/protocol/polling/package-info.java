// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * When to look instead of sleeping. A thread that waits for a message asks here how long it may
 * look for it first, and tells how that ended; clients and servers decide by the same rules,
 * because looking pays only where both sides do. No threads, no clock, no sockets in here.
 */
@NullMarked
package io.crail.protocol.polling;

import org.jspecify.annotations.NullMarked;
