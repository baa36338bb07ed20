// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.identify;

import static io.crail.nvmf.wire.Bytes.assertBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.Bytes;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.log.CommandEffects;
import io.crail.nvmf.wire.log.DiscoveryEntry;
import io.crail.nvmf.wire.log.DiscoveryHeader;
import io.crail.nvmf.wire.log.ErrorEntry;
import io.crail.nvmf.wire.log.FirmwareSlots;
import io.crail.nvmf.wire.log.ReservationNotification;
import io.crail.nvmf.wire.log.SmartData;
import io.crail.nvmf.wire.log.SupportedLogPages;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Returned structures against bytes written by hand after the figures; all else is zero. */
class StructureVectorTest {
    private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    private static final String ID_BYTES = "00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff";

    private final ByteBuffer buffer = Bytes.dirty(4096);

    private void zero(int size) {
        LittleEndian.zero(buffer, 0, size);
    }

    /** Figure "Identify Controller Data Structure, I/O Command Set Independent". */
    @Test
    void controller() {
        zero(ControllerData.SIZE);
        ControllerData.vendorId(buffer, 0, 0x1AF4);
        ControllerData.serialNumber(buffer, 0, "s1");
        ControllerData.model(buffer, 0, "m");
        ControllerData.firmware(buffer, 0, "12345678");
        ControllerData.maxTransferSize(buffer, 0, 8);
        ControllerData.controllerId(buffer, 0, 0x0102);
        ControllerData.version(buffer, 0, 0x0002_0000);
        ControllerData.attributes(buffer, 0, 1);
        ControllerData.type(buffer, 0, ControllerData.TYPE_IO);
        assertBytes(buffer, 0, "f4 1a 00 00 73 31" + " 20".repeat(18));
        assertBytes(buffer, 24, "6d" + " 20".repeat(39) + " 31 32 33 34 35 36 37 38");
        assertBytes(buffer, 72, "*5 08 02 01 00 00 02 00 *12 01 00 00 00 *11 01");
        ControllerData.abortLimit(buffer, 0, 3);
        ControllerData.asyncEventLimit(buffer, 0, 4);
        ControllerData.keepAliveGranularity(buffer, 0, 10);
        assertBytes(buffer, 256, "00 00 03 04 *60 0a 00 *190");
        ControllerData.submissionEntrySizes(buffer, 0, 0x66);
        ControllerData.completionEntrySizes(buffer, 0, 0x44);
        ControllerData.maxCommands(buffer, 0, 1024);
        ControllerData.namespaces(buffer, 0, 1);
        ControllerData.ioCommands(
                buffer,
                0,
                ControllerData.SUPPORTS_COMPARE
                        | ControllerData.SUPPORTS_DATASET_MANAGEMENT
                        | ControllerData.SUPPORTS_WRITE_ZEROES
                        | ControllerData.SUPPORTS_RESERVATIONS);
        ControllerData.volatileWriteCache(buffer, 0, 1);
        ControllerData.sglSupport(buffer, 0, ControllerData.SGL_TCP);
        assertBytes(buffer, 512, "66 44 00 04 01 00 00 00 2d 00 00 00 00 01 *10 01 00 30 00");
        ControllerData.subsystemName(buffer, 0, "nqn.2026-01.io:s");
        assertBytes(buffer, 768, "6e 71 6e 2e 32 30 32 36 2d 30 31 2e 69 6f 3a 73 *240");
        ControllerData.commandCapsuleSize(buffer, 0, 516);
        ControllerData.responseCapsuleSize(buffer, 0, 1);
        ControllerData.maxSglDescriptors(buffer, 0, 1);
        ControllerData.fabricsCommands(buffer, 0, 1);
        assertBytes(buffer, 1792, "04 02 00 00 01 00 00 00 00 00 00 01 01 00");

        assertThat(ControllerData.serialNumber(buffer, 0)).isEqualTo("s1");
        assertThat(ControllerData.model(buffer, 0)).isEqualTo("m");
        assertThat(ControllerData.firmware(buffer, 0)).isEqualTo("12345678");
        assertThat(ControllerData.subsystemName(buffer, 0)).isEqualTo("nqn.2026-01.io:s");
        assertThat(ControllerData.controllerId(buffer, 0)).isEqualTo(0x0102);
        assertThat(ControllerData.commandCapsuleSize(buffer, 0)).isEqualTo(516);
        assertThat(ControllerData.namespaces(buffer, 0)).isEqualTo(1);
    }

    /** Figure "Identify - Identify Namespace Data Structure, NVM Command Set". */
    @Test
    void namespace() {
        zero(NamespaceData.SIZE);
        NamespaceData.size(buffer, 0, 0x1000);
        NamespaceData.capacity(buffer, 0, 0x0FFF);
        NamespaceData.utilization(buffer, 0, 1);
        NamespaceData.features(buffer, 0, 0x10);
        NamespaceData.formats(buffer, 0, 1);
        NamespaceData.currentFormat(buffer, 0, 1);
        NamespaceData.sharing(buffer, 0, 1);
        NamespaceData.reservationCapabilities(buffer, 0, 0x7E);
        NamespaceData.deallocation(buffer, 0, 9);
        assertBytes(
                buffer,
                0,
                "00 10 *6 ff 0f *6 01 *7" // NSZE, NCAP, NUSE
                        + " 10 01 01 00 00 00 01 7e 00 09 *12"); // NSFEAT .. DLFEAT
        NamespaceData.optimalIoBoundary(buffer, 0, 0x0102);
        NamespaceData.preferredWriteGranularity(buffer, 0, 7);
        NamespaceData.attributes(buffer, 0, 1);
        NamespaceData.guid(buffer, 0, ID);
        NamespaceData.eui64(buffer, 0, 0x0102030405060708L);
        NamespaceData.format(buffer, 0, 0, 8, 9, 2);
        NamespaceData.format(buffer, 0, 1, 0, 12, 0);
        assertBytes(
                buffer,
                46,
                "02 01 *16 07 00 *33 01 *4 " // NOIOB, NPWG, NSATTR
                        + ID_BYTES
                        + " 01 02 03 04 05 06 07 08" // EUI64
                        + " 08 00 09 02 00 00 0c 00 *56"); // formats
        assertThat(NamespaceData.formatIndex(buffer, 0)).isEqualTo(1);
        assertThat(NamespaceData.blockShift(buffer, 0, 1)).isEqualTo(12);
        assertThat(NamespaceData.metadataSize(buffer, 0, 0)).isEqualTo(8);
        assertThat(NamespaceData.guid(buffer, 0)).isEqualTo(ID);
        assertThat(NamespaceData.eui64(buffer, 0)).isEqualTo(0x0102030405060708L);
    }

    /** Figure "Namespace List Format". */
    @Test
    void namespaceList() {
        zero(NamespaceList.SIZE);
        NamespaceList.id(buffer, 0, 0, 1);
        NamespaceList.id(buffer, 0, 1, 0x01020304);
        assertBytes(buffer, 0, "01 00 00 00 04 03 02 01 *4088");
        assertThat(NamespaceList.count(buffer, 0)).isEqualTo(2);
        assertThat(NamespaceList.count(Bytes.dirty(4096), 0)).isEqualTo(NamespaceList.MAX_IDS);
    }

    /** Figure "Identify - Namespace Identification Descriptor". */
    @Test
    void namespaceDescriptors() {
        zero(NamespaceDescriptor.LIST_SIZE);
        int next = NamespaceDescriptor.encode(buffer, 0, NamespaceDescriptor.TYPE_UUID, ID);
        assertThat(NamespaceDescriptor.encodeCommandSet(buffer, next, 0)).isEqualTo(25);
        assertBytes(buffer, 0, "03 10 00 00 " + ID_BYTES + " 04 01 00 00 00 *8");
        assertThat(NamespaceDescriptor.uuid(buffer, 0)).isEqualTo(ID);
        assertThat(NamespaceDescriptor.next(buffer, 0)).isEqualTo(20);
        assertThat(NamespaceDescriptor.type(buffer, 20)).isEqualTo(4);
        assertThat(NamespaceDescriptor.commandSet(buffer, 20)).isZero();
        assertThat(NamespaceDescriptor.length(buffer, 25)).isZero();
    }

    /** Figures "Discovery Log Page" and "Discovery Log Page Entry". */
    @Test
    void discovery() {
        zero(DiscoveryHeader.SIZE);
        DiscoveryHeader.generation(buffer, 0, 0x0102);
        DiscoveryHeader.records(buffer, 0, 3);
        assertBytes(buffer, 0, "02 01 *6 03 *7 00 00 *1006");
        assertThat(DiscoveryHeader.entryOffset(2)).isEqualTo(3072);

        zero(DiscoveryEntry.SIZE);
        DiscoveryEntry.transportType(buffer, 0, DiscoveryEntry.TRANSPORT_TCP);
        DiscoveryEntry.addressFamily(buffer, 0, DiscoveryEntry.FAMILY_IPV4);
        DiscoveryEntry.subsystemType(buffer, 0, DiscoveryEntry.SUBSYSTEM_NVM);
        DiscoveryEntry.portId(buffer, 0, 1);
        DiscoveryEntry.controllerId(buffer, 0, 0xFFFF);
        DiscoveryEntry.adminQueueSize(buffer, 0, 32);
        DiscoveryEntry.serviceId(buffer, 0, "4420");
        DiscoveryEntry.subsystemName(buffer, 0, "nqn.2026-01.io:s");
        DiscoveryEntry.address(buffer, 0, "127.0.0.1");
        assertBytes(buffer, 0, "03 01 02 00 01 00 ff ff 20 00 00 00 *20 34 34 32 30");
        assertBytes(buffer, 36, "20 ".repeat(28) + "*192");
        assertBytes(buffer, 256, "6e 71 6e 2e 32 30 32 36 2d 30 31 2e 69 6f 3a 73 *240");
        assertBytes(buffer, 512, "31 32 37 2e 30 2e 30 2e 31" + " 20".repeat(247) + " *256");
        assertThat(DiscoveryEntry.serviceId(buffer, 0)).isEqualTo("4420");
        assertThat(DiscoveryEntry.address(buffer, 0)).isEqualTo("127.0.0.1");
        assertThat(DiscoveryEntry.subsystemName(buffer, 0)).isEqualTo("nqn.2026-01.io:s");
    }

    /** Figure "Error Information Log Entry". */
    @Test
    void errorEntry() {
        zero(ErrorEntry.SIZE);
        ErrorEntry.errorCount(buffer, 0, 1);
        ErrorEntry.queueId(buffer, 0, 2);
        ErrorEntry.commandId(buffer, 0, 3);
        ErrorEntry.status(buffer, 0, 0x4002);
        ErrorEntry.parameterLocation(buffer, 0, ErrorEntry.NO_LOCATION);
        ErrorEntry.block(buffer, 0, 5);
        ErrorEntry.namespaceId(buffer, 0, 6);
        ErrorEntry.transportType(buffer, 0, 3);
        assertBytes(buffer, 0, "01 *7 02 00 03 00 04 80 ff ff 05 *7 06 00 00 00 00 03 *34");
        assertThat(ErrorEntry.status(buffer, 0)).isEqualTo(0x4002);
    }

    /** Figure "SMART / Health Information Log Page". */
    @Test
    void smart() {
        zero(SmartData.SIZE);
        SmartData.criticalWarning(buffer, 0, 8);
        SmartData.temperature(buffer, 0, 300);
        SmartData.availableSpare(buffer, 0, 100);
        SmartData.spareThreshold(buffer, 0, 10);
        SmartData.dataUnitsRead(buffer, 0, 0x0102);
        SmartData.writeCommands(buffer, 0, 0x0304);
        SmartData.powerOnHours(buffer, 0, 5);
        SmartData.errorLogEntries(buffer, 0, 6);
        assertBytes(buffer, 0, "08 2c 01 64 0a 00 *26 02 01 *14");
        assertBytes(buffer, 80, "04 03 *46 05 *47 06 *335");
    }

    /** Figure "Firmware Slot Information Log Page". */
    @Test
    void firmwareSlots() {
        zero(FirmwareSlots.SIZE);
        FirmwareSlots.activeSlot(buffer, 0, 1);
        FirmwareSlots.revision(buffer, 0, 1, "0.1.0");
        assertBytes(buffer, 0, "01 *7 30 2e 31 2e 30 20 20 20 *496");
        assertThat(FirmwareSlots.revision(buffer, 0, 1)).isEqualTo("0.1.0");
        assertThat(FirmwareSlots.revision(buffer, 0, 2)).isEmpty();
        assertThat(FirmwareSlots.activeSlot(buffer, 0)).isEqualTo(1);
    }

    /** Figures "Commands Supported and Effects Log Page" and "Supported Log Pages Log Page". */
    @Test
    void effectsAndSupportedPages() {
        zero(CommandEffects.SIZE);
        CommandEffects.ofAdmin(buffer, 0, 6, CommandEffects.SUPPORTED);
        CommandEffects.ofIo(buffer, 0, 1, CommandEffects.SUPPORTED | CommandEffects.CHANGES_BLOCKS);
        assertBytes(buffer, 0, "*24 01 00 00 00 *1000 03 00 00 00 *3064");
        assertBytes(buffer, 1024, "*4 03 00 00 00");
        assertThat(CommandEffects.ofIo(buffer, 0, 1)).isEqualTo(3);

        zero(SupportedLogPages.SIZE);
        SupportedLogPages.setSupported(buffer, 0, 2);
        assertBytes(buffer, 0, "*8 01 00 00 00 *1012");
        assertThat(SupportedLogPages.isSupported(buffer, 0, 2)).isTrue();
        assertThat(SupportedLogPages.isSupported(buffer, 0, 1)).isFalse();
    }

    /** Figure "Reservation Notification Log Page". */
    @Test
    void reservationNotification() {
        ReservationNotification.encode(
                buffer, 0, 0x0102, ReservationNotification.TYPE_RESERVATION_PREEMPTED, 2, 7);
        assertBytes(buffer, 0, "02 01 *6 03 02 00 00 07 00 00 00 *48");
        assertThat(ReservationNotification.count(buffer, 0)).isEqualTo(0x0102);
        assertThat(ReservationNotification.type(buffer, 0)).isEqualTo(3);
        assertThat(ReservationNotification.available(buffer, 0)).isEqualTo(2);
        assertThat(ReservationNotification.namespaceId(buffer, 0)).isEqualTo(7);
    }
}
