// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.log;

/**
 * Offsets in a snapshot file, all little-endian. A file {@code snapshot-<sequence, 20 digits>}
 * holds the state after the log record of that sequence: a header, chunks, and a footer.
 *
 * <pre>
 * header (64 bytes)
 *   0 u64 magic "CRAILSNP"     8 u32 layout version        12 u32 zero
 *  16 u64, u64 cluster id (most significant half first)    32 u64 sequence
 *  40 u8[20] zero             60 u32 CRC32C of bytes 0..60
 *
 * chunk
 *   0 u32 length: of the whole chunk, this field included
 *   4 u32 CRC32C of everything behind this field
 *   8 u64 number of this chunk, from 0                     16 records
 *
 * record in a chunk (never across chunks)
 *   0 u32 length: of the whole record, this field included
 *   4 u16 type                 6 u16 flags (0)              8 body
 *
 * footer (32 bytes)
 *   0 u32 zero (no chunk is that short)                     4 u32 CRC32C of everything behind
 *   8 u64 number of chunks    16 u64 number of records     24 u64 bytes before the footer
 * </pre>
 *
 * <p>A file without a right footer is not a snapshot: it is written under another name and renamed
 * when all of it is on stable storage.
 */
public final class SnapshotLayout {
    /** "CRAILSNP" read as a little-endian long. */
    public static final long MAGIC = 0x504E534C49415243L;

    public static final int VERSION = 1;
    public static final int HEADER_SIZE = 64;
    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int CLUSTER_OFFSET = 16;
    public static final int SEQUENCE_OFFSET = 32;
    public static final int HEADER_CRC_OFFSET = 60;

    public static final int LENGTH = 0;
    public static final int CRC = 4;
    public static final int CHECKED_FROM = 8;
    public static final int CHUNK_NUMBER = 8;
    public static final int CHUNK_BODY = 16;

    public static final int RECORD_LENGTH = 0;
    public static final int RECORD_TYPE = 4;
    public static final int RECORD_FLAGS = 6;
    public static final int RECORD_BODY = 8;

    public static final int FOOTER_CHUNKS = 8;
    public static final int FOOTER_RECORDS = 16;
    public static final int FOOTER_BYTES = 24;
    public static final int FOOTER_SIZE = 32;

    /** Largest chunk, in bytes. */
    public static final int MAX_CHUNK = 8 << 20;

    /** Largest record in a chunk, in bytes. */
    public static final int MAX_RECORD = LogLayout.MAX_RECORD;

    private SnapshotLayout() {}
}
