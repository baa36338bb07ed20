// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.layout;

/**
 * The end of a map output, little-endian. In front of it are the pieces, in the order in which they
 * were written, and the index:
 *
 * <pre>
 * data      pieces; whose they are tells the index alone
 * index     for each partition: number of pieces; for each piece: head, length
 *           head = (offset - end of the piece that the index names before, zigzag) &lt;&lt; 1
 *                  | whether the piece begins a stream
 *           all of them variable-length numbers, 7 bits in a byte, the lowest first
 * trailer   0  u32  bytes of the index
 *           4  u32  number of partitions
 *           8  u64  bytes of the data
 *          16  u16  version
 *          18  u16  how streams are made: 0 as Spark makes them, 1 frames of LZ4
 *          20  u32  CRC32C of the index and of the trailer, this field left out
 *          24  u64  magic
 * </pre>
 *
 * <p>The bytes of a partition are its streams in order, and those of a stream its pieces in order.
 * Each stream was compressed and encrypted by itself.
 */
final class MapOutputFooter {
    static final int INDEX_BYTES = 0;
    static final int PARTITIONS = 4;
    static final int DATA_BYTES = 8;
    static final int VERSION = 16;
    static final int FORMAT = 18;
    static final int CHECKSUM = 20;
    static final int MAGIC = 24;
    static final int TRAILER_SIZE = 32;

    static final short CURRENT_VERSION = 1;

    /** "crailmap". */
    static final long MAGIC_VALUE = 0x70616d6c69617263L;

    static final int MAX_PARTITIONS = 1 << 24;

    private MapOutputFooter() {}
}
