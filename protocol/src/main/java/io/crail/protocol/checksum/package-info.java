// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * End-to-end checksums: CRC32C per 4 KiB chunk, salted with the block's generation where it is
 * stored. Producers and readers of data enter here; storage servers carry the values and never look
 * inside.
 */
@NullMarked
package io.crail.protocol.checksum;

import org.jspecify.annotations.NullMarked;
