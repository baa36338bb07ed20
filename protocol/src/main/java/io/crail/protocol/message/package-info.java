// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The messages of the wire, one class per operation with its request and reply. Clients, namenode
 * and storage servers enter here with values and leave with bytes, or the reverse. Field lists are
 * append-only; a decoder ignores what follows the fields it knows. docs/protocol.md specifies each.
 */
@NullMarked
package io.crail.protocol.message;

import org.jspecify.annotations.NullMarked;
