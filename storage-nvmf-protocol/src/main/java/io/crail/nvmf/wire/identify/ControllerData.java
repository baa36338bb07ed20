// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.identify;

import io.crail.nvmf.wire.FixedText;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.QualifiedName;
import java.nio.ByteBuffer;

/**
 * Identify Controller, 4,096 bytes (NVMe Base 2.0, section 5.17.2.1). Each field has one method to
 * read and one of the same name to write it; the writer zeroes the structure first.
 */
public final class ControllerData {
    public static final int SIZE = 4096;

    /** ONCS. */
    public static final int SUPPORTS_COMPARE = 1;

    /** ONCS. */
    public static final int SUPPORTS_DATASET_MANAGEMENT = 1 << 2;

    /** ONCS. */
    public static final int SUPPORTS_WRITE_ZEROES = 1 << 3;

    /** ONCS: a feature can be saved, and SEL is obeyed. */
    public static final int SUPPORTS_FEATURE_SELECT = 1 << 4;

    /** ONCS. */
    public static final int SUPPORTS_RESERVATIONS = 1 << 5;

    /** CNTRLTYPE. */
    public static final int TYPE_IO = 1;

    /** CNTRLTYPE. */
    public static final int TYPE_DISCOVERY = 2;

    /** SGLS: SGLs without alignment; offsets in capsules; the transport data block. */
    public static final int SGL_TCP = 1 | (1 << 20) | (1 << 21);

    private static final int SERIAL_NUMBER = 4;
    private static final int SERIAL_NUMBER_LENGTH = 20;
    private static final int MODEL = 24;
    private static final int MODEL_LENGTH = 40;
    private static final int FIRMWARE = 64;
    private static final int FIRMWARE_LENGTH = 8;
    private static final int SUBSYSTEM_NAME = 768;

    private static final int VENDOR_ID = 0;
    private static final int SUBSYSTEM_VENDOR_ID = 2;
    private static final int ARBITRATION_BURST = 72;
    private static final int MULTIPATH = 76;
    private static final int MAX_TRANSFER_SIZE = 77;
    private static final int CONTROLLER_ID = 78;
    private static final int VERSION = 80;
    private static final int ASYNC_EVENTS = 92;
    private static final int ATTRIBUTES = 96;
    private static final int TYPE = 111;
    private static final int ADMIN_COMMANDS = 256;
    private static final int ABORT_LIMIT = 258;
    private static final int ASYNC_EVENT_LIMIT = 259;
    private static final int FIRMWARE_UPDATES = 260;
    private static final int LOG_PAGE_ATTRIBUTES = 261;
    private static final int ERROR_LOG_ENTRIES = 262;
    private static final int WARNING_TEMPERATURE = 266;
    private static final int CRITICAL_TEMPERATURE = 268;
    private static final int KEEP_ALIVE_GRANULARITY = 320;
    private static final int SUBMISSION_ENTRY_SIZES = 512;
    private static final int COMPLETION_ENTRY_SIZES = 513;
    private static final int MAX_COMMANDS = 514;
    private static final int NAMESPACES = 516;
    private static final int IO_COMMANDS = 520;
    private static final int FUSED_OPERATIONS = 522;
    private static final int VOLATILE_WRITE_CACHE = 525;
    private static final int ATOMIC_WRITE_UNIT = 526;
    private static final int ATOMIC_WRITE_UNIT_POWER_FAIL = 528;
    private static final int SGL_SUPPORT = 536;
    private static final int MAX_ALLOWED_NAMESPACES = 540;
    private static final int COMMAND_CAPSULE_SIZE = 1792;
    private static final int RESPONSE_CAPSULE_SIZE = 1796;
    private static final int IN_CAPSULE_DATA_OFFSET = 1800;
    private static final int FABRICS_ATTRIBUTES = 1802;
    private static final int MAX_SGL_DESCRIPTORS = 1803;
    private static final int FABRICS_COMMANDS = 1804;

    /** Behind two fields of its own begins {@link LocalSocketField}. */
    static final int VENDOR_SPECIFIC = 3072;

    /** "crailsm1", in the vendor's part. */
    private static final long SHARES_MEMORY = 0x316D_736C_6961_7263L;

    /** What else such a controller knows, behind that. */
    private static final int SHARING_FEATURES = VENDOR_SPECIFIC + 8;

    private static final int TAKES_RIDERS = 1;

    private ControllerData() {}

    /** VID, of PCI; 0 for none. */
    public static int vendorId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + VENDOR_ID);
    }

    public static void vendorId(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + VENDOR_ID, value);
    }

    /** SSVID. */
    public static int subsystemVendorId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + SUBSYSTEM_VENDOR_ID);
    }

    public static void subsystemVendorId(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + SUBSYSTEM_VENDOR_ID, value);
    }

    /** RAB. */
    public static int arbitrationBurst(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + ARBITRATION_BURST);
    }

    public static void arbitrationBurst(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + ARBITRATION_BURST, value);
    }

    /** CMIC: bit 0 several ports, bit 1 several controllers. */
    public static int multipath(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + MULTIPATH);
    }

    public static void multipath(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + MULTIPATH, value);
    }

    /** MDTS: most data of a command as a power of two of smallest memory pages; 0 for no limit. */
    public static int maxTransferSize(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + MAX_TRANSFER_SIZE);
    }

    public static void maxTransferSize(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + MAX_TRANSFER_SIZE, value);
    }

    /** CNTLID. */
    public static int controllerId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + CONTROLLER_ID);
    }

    public static void controllerId(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + CONTROLLER_ID, value);
    }

    /** VER, as the property VS. */
    public static int version(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + VERSION);
    }

    public static void version(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + VERSION, value);
    }

    /** OAES: optional events, bits as in the feature. */
    public static int asyncEvents(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + ASYNC_EVENTS);
    }

    public static void asyncEvents(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + ASYNC_EVENTS, value);
    }

    /** CTRATT: bit 0, host identifiers of 128 bits. */
    public static int attributes(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + ATTRIBUTES);
    }

    public static void attributes(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + ATTRIBUTES, value);
    }

    /** CNTRLTYPE: 1 I/O, 2 discovery, 3 administrative; 0 not reported. */
    public static int type(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + TYPE);
    }

    public static void type(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + TYPE, value);
    }

    /** OACS: optional admin commands. */
    public static int adminCommands(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + ADMIN_COMMANDS);
    }

    public static void adminCommands(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + ADMIN_COMMANDS, value);
    }

    /** ACL: Aborts at a time, from zero. */
    public static int abortLimit(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + ABORT_LIMIT);
    }

    public static void abortLimit(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + ABORT_LIMIT, value);
    }

    /** AERL: Asynchronous Event Requests at a time, from zero. */
    public static int asyncEventLimit(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + ASYNC_EVENT_LIMIT);
    }

    public static void asyncEventLimit(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + ASYNC_EVENT_LIMIT, value);
    }

    /** FRMW: bit 0 slot 1 is read-only, bits 3:1 number of slots. */
    public static int firmwareUpdates(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + FIRMWARE_UPDATES);
    }

    public static void firmwareUpdates(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + FIRMWARE_UPDATES, value);
    }

    /** LPA: bit 1 commands and effects, bit 2 extended data (offset, 32-bit length). */
    public static int logPageAttributes(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + LOG_PAGE_ATTRIBUTES);
    }

    public static void logPageAttributes(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + LOG_PAGE_ATTRIBUTES, value);
    }

    /** ELPE: entries of the error log page, from zero. */
    public static int errorLogEntries(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + ERROR_LOG_ENTRIES);
    }

    public static void errorLogEntries(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + ERROR_LOG_ENTRIES, value);
    }

    /** WCTEMP, in kelvin. */
    public static int warningTemperature(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + WARNING_TEMPERATURE);
    }

    public static void warningTemperature(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + WARNING_TEMPERATURE, value);
    }

    /** CCTEMP, in kelvin. */
    public static int criticalTemperature(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + CRITICAL_TEMPERATURE);
    }

    public static void criticalTemperature(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + CRITICAL_TEMPERATURE, value);
    }

    /** KAS: granularity of the keep-alive timer in units of 100 ms; 0 if there is none. */
    public static int keepAliveGranularity(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + KEEP_ALIVE_GRANULARITY);
    }

    public static void keepAliveGranularity(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + KEEP_ALIVE_GRANULARITY, value);
    }

    /** SQES: bits 3:0 required, 7:4 largest, as powers of two. */
    public static int submissionEntrySizes(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + SUBMISSION_ENTRY_SIZES);
    }

    public static void submissionEntrySizes(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + SUBMISSION_ENTRY_SIZES, value);
    }

    /** CQES: bits 3:0 required, 7:4 largest, as powers of two. */
    public static int completionEntrySizes(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + COMPLETION_ENTRY_SIZES);
    }

    public static void completionEntrySizes(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + COMPLETION_ENTRY_SIZES, value);
    }

    /** MAXCMD: most commands at a time on a queue. */
    public static int maxCommands(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + MAX_COMMANDS);
    }

    public static void maxCommands(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + MAX_COMMANDS, value);
    }

    /** NN: largest namespace id. */
    public static long namespaces(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + NAMESPACES);
    }

    public static void namespaces(ByteBuffer buffer, int at, long value) {
        LittleEndian.i32(buffer, at + NAMESPACES, (int) value);
    }

    /** ONCS: optional I/O commands, see the constants. */
    public static int ioCommands(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + IO_COMMANDS);
    }

    public static void ioCommands(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + IO_COMMANDS, value);
    }

    /** FUSES. */
    public static int fusedOperations(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + FUSED_OPERATIONS);
    }

    public static void fusedOperations(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + FUSED_OPERATIONS, value);
    }

    /** VWC: bit 0, there is one; bits 2:1, 11b if Flush takes all namespaces. */
    public static int volatileWriteCache(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + VOLATILE_WRITE_CACHE);
    }

    public static void volatileWriteCache(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + VOLATILE_WRITE_CACHE, value);
    }

    /** AWUN: blocks written atomically in normal operation, from zero. */
    public static int atomicWriteUnit(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + ATOMIC_WRITE_UNIT);
    }

    public static void atomicWriteUnit(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + ATOMIC_WRITE_UNIT, value);
    }

    /** AWUPF: the same if power fails, from zero. */
    public static int atomicWriteUnitPowerFail(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + ATOMIC_WRITE_UNIT_POWER_FAIL);
    }

    public static void atomicWriteUnitPowerFail(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + ATOMIC_WRITE_UNIT_POWER_FAIL, value);
    }

    /** SGLS: bits 1:0 SGLs, bit 2 keyed, bit 20 offset in capsule, bit 21 transport data block. */
    public static int sglSupport(ByteBuffer buffer, int at) {
        return LittleEndian.i32(buffer, at + SGL_SUPPORT);
    }

    public static void sglSupport(ByteBuffer buffer, int at, int value) {
        LittleEndian.i32(buffer, at + SGL_SUPPORT, value);
    }

    /** MNAN. */
    public static long maxAllowedNamespaces(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + MAX_ALLOWED_NAMESPACES);
    }

    public static void maxAllowedNamespaces(ByteBuffer buffer, int at, long value) {
        LittleEndian.i32(buffer, at + MAX_ALLOWED_NAMESPACES, (int) value);
    }

    /** IOCCSZ: largest capsule of an I/O command in units of 16 bytes, at least 4. */
    public static long commandCapsuleSize(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + COMMAND_CAPSULE_SIZE);
    }

    public static void commandCapsuleSize(ByteBuffer buffer, int at, long value) {
        LittleEndian.i32(buffer, at + COMMAND_CAPSULE_SIZE, (int) value);
    }

    /** IORCSZ: largest response capsule in units of 16 bytes, at least 1. */
    public static long responseCapsuleSize(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + RESPONSE_CAPSULE_SIZE);
    }

    public static void responseCapsuleSize(ByteBuffer buffer, int at, long value) {
        LittleEndian.i32(buffer, at + RESPONSE_CAPSULE_SIZE, (int) value);
    }

    /** ICDOFF: offset of data in capsules in units of 16 bytes. */
    public static int inCapsuleDataOffset(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + IN_CAPSULE_DATA_OFFSET);
    }

    public static void inCapsuleDataOffset(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + IN_CAPSULE_DATA_OFFSET, value);
    }

    /** FCATT: bit 0 set, the controller model is static. */
    public static int fabricsAttributes(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + FABRICS_ATTRIBUTES);
    }

    public static void fabricsAttributes(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + FABRICS_ATTRIBUTES, value);
    }

    /** MSDBD: descriptors of a command; 0 for no limit. */
    public static int maxSglDescriptors(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + MAX_SGL_DESCRIPTORS);
    }

    public static void maxSglDescriptors(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + MAX_SGL_DESCRIPTORS, value);
    }

    /** OFCS: bit 0, Disconnect. */
    public static int fabricsCommands(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + FABRICS_COMMANDS);
    }

    public static void fabricsCommands(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + FABRICS_COMMANDS, value);
    }

    /** Whether the controller knows {@link io.crail.nvmf.wire.command.SharedMemoryCommand}. */
    public static boolean sharesMemory(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at + VENDOR_SPECIFIC) == SHARES_MEMORY;
    }

    public static void sharesMemory(ByteBuffer buffer, int at, boolean value) {
        LittleEndian.i64(buffer, at + VENDOR_SPECIFIC, value ? SHARES_MEMORY : 0);
    }

    /**
     * Whether a controller that shares memory moves a rider with the data ({@link
     * io.crail.nvmf.wire.command.RiderField}).
     */
    public static boolean takesRiders(ByteBuffer buffer, int at) {
        return sharesMemory(buffer, at)
                && (LittleEndian.i32(buffer, at + SHARING_FEATURES) & TAKES_RIDERS) != 0;
    }

    public static void takesRiders(ByteBuffer buffer, int at, boolean value) {
        LittleEndian.i32(buffer, at + SHARING_FEATURES, value ? TAKES_RIDERS : 0);
    }

    /** SN. */
    public static String serialNumber(ByteBuffer buffer, int at) {
        return FixedText.getSpaced(buffer, at + SERIAL_NUMBER, SERIAL_NUMBER_LENGTH);
    }

    public static void serialNumber(ByteBuffer buffer, int at, String value) {
        FixedText.putSpaced(buffer, at + SERIAL_NUMBER, SERIAL_NUMBER_LENGTH, value);
    }

    /** MN. */
    public static String model(ByteBuffer buffer, int at) {
        return FixedText.getSpaced(buffer, at + MODEL, MODEL_LENGTH);
    }

    public static void model(ByteBuffer buffer, int at, String value) {
        FixedText.putSpaced(buffer, at + MODEL, MODEL_LENGTH, value);
    }

    /** FR. */
    public static String firmware(ByteBuffer buffer, int at) {
        return FixedText.getSpaced(buffer, at + FIRMWARE, FIRMWARE_LENGTH);
    }

    public static void firmware(ByteBuffer buffer, int at, String value) {
        FixedText.putSpaced(buffer, at + FIRMWARE, FIRMWARE_LENGTH, value);
    }

    /** SUBNQN. */
    public static String subsystemName(ByteBuffer buffer, int at) {
        return FixedText.getTerminated(buffer, at + SUBSYSTEM_NAME, QualifiedName.FIELD_BYTES);
    }

    public static void subsystemName(ByteBuffer buffer, int at, String value) {
        FixedText.putTerminated(buffer, at + SUBSYSTEM_NAME, QualifiedName.FIELD_BYTES, value);
    }
}
