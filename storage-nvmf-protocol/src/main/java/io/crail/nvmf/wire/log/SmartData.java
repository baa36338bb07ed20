// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.log;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Log page SMART / Health Information, 512 bytes (NVMe Base 2.0, section 5.16.1.3). Each field has
 * one method to read and one of the same name to write it.
 */
public final class SmartData {
    public static final int SIZE = 512;

    private static final int CRITICAL_WARNING = 0;
    private static final int TEMPERATURE = 1;
    private static final int AVAILABLE_SPARE = 3;
    private static final int SPARE_THRESHOLD = 4;
    private static final int PERCENTAGE_USED = 5;
    private static final int DATA_UNITS_READ = 32;
    private static final int DATA_UNITS_WRITTEN = 48;
    private static final int READ_COMMANDS = 64;
    private static final int WRITE_COMMANDS = 80;
    private static final int BUSY_MINUTES = 96;
    private static final int POWER_CYCLES = 112;
    private static final int POWER_ON_HOURS = 128;
    private static final int UNSAFE_SHUTDOWNS = 144;
    private static final int MEDIA_ERRORS = 160;
    private static final int ERROR_LOG_ENTRIES = 176;

    private SmartData() {}

    /** Bits: 0 spare low, 1 temperature, 2 reliability, 3 read-only, 4 volatile memory backup. */
    public static int criticalWarning(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + CRITICAL_WARNING);
    }

    public static void criticalWarning(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + CRITICAL_WARNING, value);
    }

    /** In kelvin. */
    public static int temperature(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + TEMPERATURE);
    }

    public static void temperature(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + TEMPERATURE, value);
    }

    /** In percent. */
    public static int availableSpare(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + AVAILABLE_SPARE);
    }

    public static void availableSpare(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + AVAILABLE_SPARE, value);
    }

    /** In percent. */
    public static int spareThreshold(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + SPARE_THRESHOLD);
    }

    public static void spareThreshold(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + SPARE_THRESHOLD, value);
    }

    public static int percentageUsed(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + PERCENTAGE_USED);
    }

    public static void percentageUsed(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + PERCENTAGE_USED, value);
    }

    /** Units of 512,000 bytes, rounded up. Of this and other 128-bit counters the lower half. */
    public static long dataUnitsRead(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + DATA_UNITS_READ);
    }

    public static void dataUnitsRead(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + DATA_UNITS_READ, value);
    }

    /** Units of 512,000 bytes, rounded up. */
    public static long dataUnitsWritten(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + DATA_UNITS_WRITTEN);
    }

    public static void dataUnitsWritten(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + DATA_UNITS_WRITTEN, value);
    }

    public static long readCommands(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + READ_COMMANDS);
    }

    public static void readCommands(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + READ_COMMANDS, value);
    }

    public static long writeCommands(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + WRITE_COMMANDS);
    }

    public static void writeCommands(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + WRITE_COMMANDS, value);
    }

    public static long busyMinutes(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + BUSY_MINUTES);
    }

    public static void busyMinutes(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + BUSY_MINUTES, value);
    }

    public static long powerCycles(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + POWER_CYCLES);
    }

    public static void powerCycles(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + POWER_CYCLES, value);
    }

    public static long powerOnHours(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + POWER_ON_HOURS);
    }

    public static void powerOnHours(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + POWER_ON_HOURS, value);
    }

    public static long unsafeShutdowns(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + UNSAFE_SHUTDOWNS);
    }

    public static void unsafeShutdowns(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + UNSAFE_SHUTDOWNS, value);
    }

    public static long mediaErrors(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + MEDIA_ERRORS);
    }

    public static void mediaErrors(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + MEDIA_ERRORS, value);
    }

    /** Entries of the error log page over the life of the controller. */
    public static long errorLogEntries(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + ERROR_LOG_ENTRIES);
    }

    public static void errorLogEntries(ByteBuffer buffer, int at, long value) {
        LittleEndian.i64(buffer, at + ERROR_LOG_ENTRIES, value);
    }
}
