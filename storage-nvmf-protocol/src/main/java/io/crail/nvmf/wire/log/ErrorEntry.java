// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.log;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Entry of the log page Error Information, 64 bytes (NVMe Base 2.0, section 5.16.1.2). Each field
 * has one method to read and one of the same name to write it.
 */
public final class ErrorEntry {
    public static final int SIZE = 64;

    /** Location of no parameter. */
    public static final int NO_LOCATION = 0xFFFF;

    private static final int STATUS = 12;

    private static final int ERROR_COUNT = 0;
    private static final int QUEUE_ID = 8;
    private static final int COMMAND_ID = 10;
    private static final int PARAMETER_LOCATION = 14;
    private static final int BLOCK = 16;
    private static final int NAMESPACE_ID = 24;
    private static final int TRANSPORT_TYPE = 29;
    private static final int COMMAND_SPECIFIC = 32;

    private ErrorEntry() {}

    /** Unique number of the error; 0: the entry is empty. */
    public static long errorCount(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + ERROR_COUNT);
    }

    public static void errorCount(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + ERROR_COUNT, value);
    }

    /** SQID. */
    public static int queueId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + QUEUE_ID);
    }

    public static void queueId(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + QUEUE_ID, value);
    }

    /** CID. */
    public static int commandId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + COMMAND_ID);
    }

    public static void commandId(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + COMMAND_ID, value);
    }

    /** Bits 7:0 byte, 10:8 bit in the command; FFFFh: none. */
    public static int parameterLocation(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + PARAMETER_LOCATION);
    }

    public static void parameterLocation(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + PARAMETER_LOCATION, value);
    }

    /** First logical block at fault. */
    public static long block(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + BLOCK);
    }

    public static void block(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + BLOCK, value);
    }

    /** NSID. */
    public static int namespaceId(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + NAMESPACE_ID);
    }

    public static void namespaceId(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + NAMESPACE_ID, value);
    }

    /** TRTYPE, as in the discovery log page. */
    public static int transportType(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + TRANSPORT_TYPE);
    }

    public static void transportType(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + TRANSPORT_TYPE, value);
    }

    public static long commandSpecific(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + COMMAND_SPECIFIC);
    }

    public static void commandSpecific(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + COMMAND_SPECIFIC, value);
    }

    /** As {@link io.crail.nvmf.wire.status.Status}. */
    public static int status(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + STATUS) >>> 1;
    }

    public static void status(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + STATUS, value << 1);
    }
}
