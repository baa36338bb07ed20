// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import static io.crail.nvmf.wire.Bytes.assertBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.Bytes;
import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.reservation.ReservationReport;
import io.crail.nvmf.wire.reservation.ReservationType;
import java.nio.ByteBuffer;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** I/O commands against bytes written by hand after the figures of the NVM Command Set 1.0. */
class IoVectorTest {
    private static final int AT = 1;

    private final ByteBuffer buffer = Bytes.dirty(256);

    /** Figures "Read - Command Dword 10 and Command Dword 11" and "12". */
    @Test
    void read() {
        String bytes =
                "02 40 05 00 01 00 00 00 *32" + " 08 07 06 05 04 03 02 01" + " ff 00 00 40 *12";
        BlockCommand.encode(buffer, AT, IoOpcode.READ, 5, 1, 0x0102030405060708L, 256);
        BlockCommand.setForceUnitAccess(buffer, AT);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(SubmissionEntry.opcode(received, 0)).isEqualTo(IoOpcode.READ);
        assertThat(BlockCommand.firstBlock(received, 0)).isEqualTo(0x0102030405060708L);
        assertThat(BlockCommand.blocks(received, 0)).isEqualTo(256);
        assertThat(BlockCommand.isForceUnitAccess(received, 0)).isTrue();
        assertThat(BlockCommand.isLimitedRetry(received, 0)).isFalse();
    }

    /** Figures "Write - Command Dword 10 and Command Dword 11" and "12": the most blocks. */
    @Test
    void write() {
        BlockCommand.encode(buffer, AT, IoOpcode.WRITE, 5, 1, 3, BlockCommand.MAX_BLOCKS);
        assertBytes(buffer, AT, "01 40 05 00 01 00 00 00 *32 03 *7 ff ff 00 00 *12");
        assertThat(BlockCommand.blocks(buffer, AT)).isEqualTo(65536);
        assertThat(BlockCommand.isLimitedRetry(Bytes.of("01 *50 80 *12"), 0)).isTrue();
    }

    @Test
    void compare() {
        BlockCommand.encode(buffer, AT, IoOpcode.COMPARE, 5, 1, 3, 1);
        assertBytes(buffer, AT, "05 40 05 00 01 00 00 00 *32 03 *7 00 00 00 00 *12");
    }

    /** Figure "Write Zeroes - Command Dword 12": DEAC. */
    @Test
    void writeZeroes() {
        BlockCommand.encode(buffer, AT, IoOpcode.WRITE_ZEROES, 5, 1, 3, 2);
        BlockCommand.setDeallocate(buffer, AT);
        assertBytes(buffer, AT, "08 40 05 00 01 00 00 00 *32 03 *7 01 00 00 02 *12");
        assertThat(BlockCommand.isDeallocate(buffer, AT)).isTrue();
    }

    @Test
    void flush() {
        BlockCommand.encodeFlush(buffer, AT, 5, 0xFFFFFFFF);
        assertBytes(buffer, AT, "00 40 05 00 ff ff ff ff *56");
    }

    /** Figures "Dataset Management - Command Dword 10", "11" and "Range Definition". */
    @Test
    void datasetManagement() {
        String bytes = "09 40 05 00 01 00 00 00 *32 ff 00 00 00 04 00 00 00 *16";
        DatasetCommand.encodeDeallocate(buffer, AT, 5, 1, 256);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(DatasetCommand.ranges(received, 0)).isEqualTo(256);
        assertThat(DatasetCommand.isDeallocate(received, 0)).isTrue();

        String range = "00 00 00 00 ff ff ff ff 02 01 00 00 00 00 00 00";
        DatasetCommand.encodeRange(buffer, AT, 0x0102, -1);
        assertBytes(buffer, AT, range);
        assertThat(DatasetCommand.rangeBlocks(buffer, AT)).isEqualTo(0xFFFF_FFFFL);
        assertThat(DatasetCommand.rangeFirstBlock(buffer, AT)).isEqualTo(0x0102);
    }

    /** Figures "Reservation Register - Command Dword 10" and "Data Structure". */
    @Test
    void reservationRegister() {
        String bytes = "0d 40 05 00 01 00 00 00 *32 0a 00 00 c0 *20";
        ReservationCommand.encodeRegister(buffer, AT, 5, 1, ReservationCommand.REPLACE, true, 3);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(ReservationCommand.action(received, 0)).isEqualTo(ReservationCommand.REPLACE);
        assertThat(ReservationCommand.isExistingKeyIgnored(received, 0)).isTrue();
        assertThat(ReservationCommand.changePersistence(received, 0)).isEqualTo(3);

        ReservationCommand.encodeKeys(buffer, AT, 0x0102, 0x0304);
        assertBytes(buffer, AT, "02 01 *6 04 03 *6");
        assertThat(ReservationCommand.currentKey(buffer, AT)).isEqualTo(0x0102);
        assertThat(ReservationCommand.otherKey(buffer, AT)).isEqualTo(0x0304);
    }

    /** Figure "Reservation Acquire - Command Dword 10": preempt and abort. */
    @Test
    void reservationAcquire() {
        String bytes = "11 40 05 00 01 00 00 00 *32 02 03 00 00 *20";
        ReservationCommand.encodeAcquire(
                buffer,
                AT,
                5,
                1,
                ReservationCommand.PREEMPT_AND_ABORT,
                ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(ReservationCommand.action(received, 0)).isEqualTo(2);
        assertThat(ReservationType.ofCode(ReservationCommand.typeCode(received, 0)))
                .isEqualTo(ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY);
    }

    /** Figure "Reservation Release - Command Dword 10". */
    @Test
    void reservationRelease() {
        ReservationCommand.encodeRelease(buffer, AT, 5, 1, ReservationCommand.CLEAR, 6);
        assertBytes(buffer, AT, "15 40 05 00 01 00 00 00 *32 01 06 00 00 *20");
        ReservationCommand.encodeKey(buffer, AT, 7);
        assertBytes(buffer, AT, "07 *7");
    }

    /** Figures "Reservation Report - Command Dword 10" and "Reservation Status (extended)". */
    @Test
    void reservationReport() {
        String bytes = "0e 40 05 00 01 00 00 00 *32 ff 03 00 00 01 00 00 00 *16";
        ReservationCommand.encodeReport(buffer, AT, 5, 1, 4096, true);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(ReservationCommand.reportLength(received, 0)).isEqualTo(4096);
        assertThat(ReservationCommand.isExtended(received, 0)).isTrue();

        UUID host = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        ReservationReport.encodeHeader(buffer, AT, 0x01020304, 1, 1, true);
        ReservationReport.encodeRegistrant(
                buffer, AT + ReservationReport.HEADER_SIZE, 9, true, 0x77, host);
        assertBytes(
                buffer,
                AT,
                "04 03 02 01 01 01 00 00 00 01 *54" // GEN, RTYPE, number, PTPLS
                        + " 09 00 01 00 00 00 00 00 77 *7" // CNTLID, RCSTS, RKEY
                        + " 00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff *32");
        assertThat(ReservationReport.size(1)).isEqualTo(128);
        assertThat(ReservationReport.generation(buffer, AT)).isEqualTo(0x01020304);
        assertThat(ReservationReport.typeCode(buffer, AT)).isEqualTo(1);
        assertThat(ReservationReport.registrants(buffer, AT)).isEqualTo(1);
        assertThat(ReservationReport.isPersistent(buffer, AT)).isTrue();
        int first = AT + ReservationReport.size(0);
        assertThat(ReservationReport.hostId(buffer, first)).isEqualTo(host);
        assertThat(ReservationReport.holds(buffer, first)).isTrue();
        assertThat(ReservationReport.key(buffer, first)).isEqualTo(0x77);
        assertThat(ReservationReport.controllerId(buffer, first)).isEqualTo(9);
    }

    @Property
    void blocksRoundTrip(
            @ForAll long first,
            @ForAll @IntRange(min = 1, max = BlockCommand.MAX_BLOCKS) int blocks,
            @ForAll @IntRange(max = 0xFFFF) int commandId,
            @ForAll int namespaceId) {
        BlockCommand.encode(buffer, 9, IoOpcode.WRITE, commandId, namespaceId, first, blocks);
        assertThat(BlockCommand.firstBlock(buffer, 9)).isEqualTo(first);
        assertThat(BlockCommand.blocks(buffer, 9)).isEqualTo(blocks);
        assertThat(SubmissionEntry.commandId(buffer, 9)).isEqualTo(commandId);
        assertThat(SubmissionEntry.namespaceId(buffer, 9)).isEqualTo(namespaceId);
        assertThat(BlockCommand.isForceUnitAccess(buffer, 9)).isFalse();
    }

    @Property
    void logPageRoundTrips(
            @ForAll @IntRange(min = 1, max = 1 << 28) int units,
            @ForAll long offset,
            @ForAll @IntRange(max = 255) int page,
            @ForAll boolean retain) {
        LogPageCommand.encode(buffer, 9, 1, 0, page, units * 4, offset & ~3, retain);
        assertThat(LogPageCommand.length(buffer, 9)).isEqualTo(units * 4L);
        assertThat(LogPageCommand.offset(buffer, 9)).isEqualTo(offset & ~3);
        assertThat(LogPageCommand.page(buffer, 9)).isEqualTo(page);
        assertThat(LogPageCommand.isEventRetained(buffer, 9)).isEqualTo(retain);
    }
}
