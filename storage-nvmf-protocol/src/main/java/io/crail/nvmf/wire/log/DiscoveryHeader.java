// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.log;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Head of the discovery log page, 1,024 bytes; {@link DiscoveryEntry entries} follow (NVMe Base
 * 2.0, section 5.16.1.23). A host that reads the page in several commands reads the head once more
 * at the end and begins again if GENCTR changed meanwhile.
 */
public final class DiscoveryHeader {
    public static final int SIZE = 1024;

    private static final int GENERATION = 0;
    private static final int RECORDS = 8;
    private static final int RECORD_FORMAT = 16;

    private DiscoveryHeader() {}

    /** GENCTR: changes with every change of the page. */
    public static long generation(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + GENERATION);
    }

    public static void generation(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + GENERATION, value);
    }

    /** NUMREC: number of entries. */
    public static long records(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + RECORDS);
    }

    public static void records(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + RECORDS, value);
    }

    /** RECFMT, 0. */
    public static int recordFormat(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + RECORD_FORMAT);
    }

    public static void recordFormat(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + RECORD_FORMAT, value);
    }

    /** Position of an entry in the page. */
    public static long entryOffset(long index) {
        return SIZE + index * DiscoveryEntry.SIZE;
    }
}
