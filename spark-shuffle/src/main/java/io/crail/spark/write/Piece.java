// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import java.nio.ByteBuffer;

/**
 * Some bytes of a partition that are not in the file yet.
 *
 * @param beginsStream whether the streams of the partition before it are complete
 * @param buffer the bytes from 0 to its position; lent by the file
 */
record Piece(int partition, boolean beginsStream, ByteBuffer buffer) {
    int bytes() {
        return buffer.position();
    }
}
