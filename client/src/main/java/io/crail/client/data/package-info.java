// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Blocks: where their servers are, the data paths to them, and reads and writes of one block with
 * checksums. Files and tables enter with references they got from the namenode; bytes pass between
 * a buffer and a data path, at once or as a transfer, and no unverified byte leaves this room.
 */
@NullMarked
package io.crail.client.data;

import org.jspecify.annotations.NullMarked;
