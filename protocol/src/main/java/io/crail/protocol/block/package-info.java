// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Blocks as both ends see them: references, generations, extents, and the seal (MAC) that makes a
 * reference a grant. The namenode makes them, clients carry them unchanged, storage servers check
 * them. Who may touch a block when: docs/adr/0001-consistency.md.
 */
@NullMarked
package io.crail.protocol.block;

import org.jspecify.annotations.NullMarked;
