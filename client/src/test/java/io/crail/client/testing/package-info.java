// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Peers of a client for tests: a namenode and storage servers that speak real frames over loopback
 * sockets, keep everything in maps, and misbehave on request. Tests enter; nothing leaves with a
 * test's end.
 */
@NullMarked
package io.crail.client.testing;

import org.jspecify.annotations.NullMarked;
