// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.log;

import io.crail.nvmf.wire.FixedText;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.QualifiedName;
import java.nio.ByteBuffer;

/**
 * Entry of the discovery log page, 1,024 bytes (NVMe Base 2.0, section 5.16.1.23): where a
 * subsystem can be reached. Each field has one method to read and one of the same name to write it.
 */
public final class DiscoveryEntry {
    public static final int SIZE = 1024;

    /** TRTYPE. */
    public static final int TRANSPORT_RDMA = 1;

    /** TRTYPE. */
    public static final int TRANSPORT_TCP = 3;

    /** ADRFAM. */
    public static final int FAMILY_IPV4 = 1;

    /** ADRFAM. */
    public static final int FAMILY_IPV6 = 2;

    /** SUBTYPE: another discovery service. */
    public static final int SUBSYSTEM_REFERRAL = 1;

    /** SUBTYPE: a subsystem with namespaces. */
    public static final int SUBSYSTEM_NVM = 2;

    /** SUBTYPE: the discovery service that answers. */
    public static final int SUBSYSTEM_CURRENT = 3;

    private static final int SERVICE_ID = 32;
    private static final int SERVICE_ID_LENGTH = 32;
    private static final int SUBSYSTEM_NAME = 256;
    private static final int ADDRESS = 512;
    private static final int ADDRESS_LENGTH = 256;

    private static final int TRANSPORT_TYPE = 0;
    private static final int ADDRESS_FAMILY = 1;
    private static final int SUBSYSTEM_TYPE = 2;
    private static final int REQUIREMENTS = 3;
    private static final int PORT_ID = 4;
    private static final int CONTROLLER_ID = 6;
    private static final int ADMIN_QUEUE_SIZE = 8;
    private static final int ENTRY_FLAGS = 10;
    private static final int SECURITY_TYPE = 768;

    private DiscoveryEntry() {}

    /** TRTYPE, see the constants. */
    public static int transportType(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + TRANSPORT_TYPE);
    }

    public static void transportType(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + TRANSPORT_TYPE, value);
    }

    /** ADRFAM, see the constants. */
    public static int addressFamily(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + ADDRESS_FAMILY);
    }

    public static void addressFamily(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + ADDRESS_FAMILY, value);
    }

    /** SUBTYPE, see the constants. */
    public static int subsystemType(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + SUBSYSTEM_TYPE);
    }

    public static void subsystemType(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + SUBSYSTEM_TYPE, value);
    }

    /** TREQ: bits 1:0 secure channel, bit 2 flow control of submission queues may be off. */
    public static int requirements(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + REQUIREMENTS);
    }

    public static void requirements(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + REQUIREMENTS, value);
    }

    /** PORTID. */
    public static int portId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + PORT_ID);
    }

    public static void portId(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + PORT_ID, value);
    }

    /** CNTLID: FFFFh for the dynamic controller model. */
    public static int controllerId(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + CONTROLLER_ID);
    }

    public static void controllerId(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + CONTROLLER_ID, value);
    }

    /** ASQSZ: entries of the largest admin queue. */
    public static int adminQueueSize(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + ADMIN_QUEUE_SIZE);
    }

    public static void adminQueueSize(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + ADMIN_QUEUE_SIZE, value);
    }

    /** EFLAGS. */
    public static int flags(ByteBuffer buffer, int at) {
        return LittleEndian.u16(buffer, at + ENTRY_FLAGS);
    }

    public static void flags(ByteBuffer buffer, int at, int value) {
        LittleEndian.u16(buffer, at + ENTRY_FLAGS, value);
    }

    /** SECTYPE of TSAS for TCP: 0 none, 1 TLS 1.2, 2 TLS 1.3. */
    public static int securityType(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at + SECURITY_TYPE);
    }

    public static void securityType(ByteBuffer buffer, int at, int value) {
        LittleEndian.u8(buffer, at + SECURITY_TYPE, value);
    }

    /** TRSVCID: the port, in decimal. */
    public static String serviceId(ByteBuffer buffer, int at) {
        return FixedText.getSpaced(buffer, at + SERVICE_ID, SERVICE_ID_LENGTH);
    }

    public static void serviceId(ByteBuffer buffer, int at, String value) {
        FixedText.putSpaced(buffer, at + SERVICE_ID, SERVICE_ID_LENGTH, value);
    }

    /** SUBNQN. */
    public static String subsystemName(ByteBuffer buffer, int at) {
        return FixedText.getTerminated(buffer, at + SUBSYSTEM_NAME, QualifiedName.FIELD_BYTES);
    }

    public static void subsystemName(ByteBuffer buffer, int at, String value) {
        FixedText.putTerminated(buffer, at + SUBSYSTEM_NAME, QualifiedName.FIELD_BYTES, value);
    }

    /** TRADDR: the address, as a literal. */
    public static String address(ByteBuffer buffer, int at) {
        return FixedText.getSpaced(buffer, at + ADDRESS, ADDRESS_LENGTH);
    }

    public static void address(ByteBuffer buffer, int at, String value) {
        FixedText.putSpaced(buffer, at + ADDRESS, ADDRESS_LENGTH, value);
    }
}
