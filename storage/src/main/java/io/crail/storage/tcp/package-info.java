// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The TCP data path on Netty: connections whose requests read and write blocks without copying.
 * Bytes come in as frames, are checked against seal, rights, bounds and generation, and move
 * between the socket and the mapped segment. The tier enters through TcpDataService; nothing else
 * leaves the room.
 */
@NullMarked
package io.crail.storage.tcp;

import org.jspecify.annotations.NullMarked;
