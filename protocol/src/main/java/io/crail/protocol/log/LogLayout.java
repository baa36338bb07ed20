// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.log;

/**
 * Offsets in a log file, all little-endian. A file {@code log-<first sequence, 20 digits>} holds a
 * header and then records without padding, with consecutive sequence numbers:
 *
 * <pre>
 * header (64 bytes)
 *   0 u64 magic "CRAILLOG"     8 u32 layout version        12 u32 zero
 *  16 u64, u64 cluster id (most significant half first)    32 u64 sequence of the first record
 *  40 u8[20] zero             60 u32 CRC32C of bytes 0..60
 *
 * record
 *   0 u32 length: of the whole record, this field included
 *   4 u32 CRC32C of everything behind this field
 *   8 u64 sequence            16 u16 type                  18 u16 flags (0)
 *  20 i64 session             28 i64 request id            36 body
 * </pre>
 *
 * <p>A file ends at its size, or where nothing but zeros follows: space that was prepared for
 * records.
 *
 * <p>The sequence is a part of what the CRC covers, so a record that was copied to another place is
 * recognised. Session and request id stand in every record, because (session, request id, result)
 * is what answers a repeated request; 0 where no session asked.
 */
public final class LogLayout {
    /** "CRAILLOG" read as a little-endian long. */
    public static final long MAGIC = 0x474F4C4C49415243L;

    public static final int VERSION = 1;
    public static final int HEADER_SIZE = 64;
    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int CLUSTER_OFFSET = 16;
    public static final int FIRST_SEQUENCE_OFFSET = 32;
    public static final int HEADER_CRC_OFFSET = 60;

    public static final int LENGTH = 0;
    public static final int CRC = 4;
    public static final int CHECKED_FROM = 8;
    public static final int SEQUENCE = 8;
    public static final int TYPE = 16;
    public static final int FLAGS = 18;
    public static final int SESSION = 20;
    public static final int REQUEST_ID = 28;
    public static final int BODY = 36;

    /** Largest record, in bytes: more than the largest frame that can cause one. */
    public static final int MAX_RECORD = 4 << 20;

    /** Sequence of the very first record of a cluster. */
    public static final long FIRST_SEQUENCE = 1;

    private LogLayout() {}
}
