// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import static io.crail.nvmf.wire.Bytes.assertBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.Bytes;
import io.crail.nvmf.wire.property.Capabilities;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.ControllerStatus;
import io.crail.nvmf.wire.property.Property;
import io.crail.nvmf.wire.property.Version;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Fabrics commands, entries and descriptors against bytes written by hand after the figures. */
class FabricsVectorTest {
    private static final int AT = 5; // nothing is aligned

    private final ByteBuffer buffer = Bytes.dirty(2048);

    /** Figure "Connect Command - Submission Queue Entry", as a Linux host sends it. */
    @Test
    void connect() {
        String bytes =
                "7f 40 09 00 01 *19" // opcode, PSDT, CID, FCTYPE
                        + " *8 00 04 00 00 00 00 00 01" // SGL1: in capsule, 1024
                        + " 00 00 02 00 1f 00 04 00" // RECFMT, QID, SQSIZE, CATTR
                        + " 88 13 00 00 *12"; // KATO 5000
        ConnectCommand.encode(buffer, AT, 9, 2, 32, ConnectCommand.ATTRIBUTE_NO_FLOW_CONTROL, 5000);
        SglDescriptor.encodeInCapsule(buffer, AT + SubmissionEntry.SGL, ConnectData.SIZE);
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        assertThat(received.remaining()).isEqualTo(SubmissionEntry.SIZE);
        assertThat(SubmissionEntry.opcode(received, 0)).isEqualTo(AdminOpcode.FABRICS);
        assertThat(SubmissionEntry.pointerType(received, 0)).isEqualTo(1);
        assertThat(SubmissionEntry.fuse(received, 0)).isZero();
        assertThat(FabricsCommand.type(received, 0)).isEqualTo(FabricsCommand.CONNECT);
        assertThat(ConnectCommand.recordFormat(received, 0)).isZero();
        assertThat(ConnectCommand.queueId(received, 0)).isEqualTo(2);
        assertThat(ConnectCommand.queueSize(received, 0)).isEqualTo(32);
        assertThat(ConnectCommand.attributes(received, 0)).isEqualTo(4);
        assertThat(ConnectCommand.keepAliveMillis(received, 0)).isEqualTo(5000);
        assertThat(SglDescriptor.type(received, SubmissionEntry.SGL))
                .isEqualTo(SglDescriptor.IN_CAPSULE);
        assertThat(SglDescriptor.length(received, SubmissionEntry.SGL)).isEqualTo(1024);
        assertThat(SglDescriptor.address(received, SubmissionEntry.SGL)).isZero();
    }

    /** Figure "Keyed SGL Data Block descriptor". */
    @Test
    void keyedDataBlock() {
        SglDescriptor.encodeKeyed(buffer, AT, 0x1122334455667788L, 0x040506, 0xAABBCCDD);
        assertBytes(buffer, AT, "88 77 66 55 44 33 22 11 06 05 04 dd cc bb aa 40");
        SglDescriptor.encodeKeyed(buffer, AT, 0, SglDescriptor.MAX_KEYED_LENGTH, 0);
        assertBytes(buffer, AT, "*8 ff ff ff 00 00 00 00 40");
    }

    /** Figure "Connect Command - Data". */
    @Test
    void connectData() {
        UUID host = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
        ConnectData.encode(buffer, AT, host, 0xFFFF, "nqn.2026-01.io:s", "nqn.2026-01.io:host");
        String bytes =
                "00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff" // HOSTID
                        + " ff ff *238" // CNTLID
                        + " 6e 71 6e 2e 32 30 32 36 2d 30 31 2e 69 6f 3a 73 *240" // SUBNQN
                        + " 6e 71 6e 2e 32 30 32 36 2d 30 31 2e 69 6f 3a 68 6f 73 74 *237"
                        + " *256";
        assertBytes(buffer, AT, bytes);

        ByteBuffer received = Bytes.of(bytes);
        assertThat(received.remaining()).isEqualTo(ConnectData.SIZE);
        assertThat(ConnectData.hostId(received, 0)).isEqualTo(host);
        assertThat(ConnectData.controllerId(received, 0)).isEqualTo(ConnectData.ANY_CONTROLLER);
        assertThat(ConnectData.subsystemName(received, 0)).isEqualTo("nqn.2026-01.io:s");
        assertThat(ConnectData.hostName(received, 0)).isEqualTo("nqn.2026-01.io:host");
    }

    /** Figure "Connect Response". */
    @Test
    void connectResult() {
        assertThat(ConnectCommand.success(0x1234)).isEqualTo(0x1234);
        assertThat(ConnectCommand.controllerId(0x0003_1234L)).isEqualTo(0x1234);
        assertThat(ConnectCommand.authenticationRequired(0x0003_1234L)).isEqualTo(3);
        long inData = ConnectCommand.invalidParameter(ConnectData.SUBSYSTEM_NAME, true);
        assertThat(inData).isEqualTo(0x0001_0100L);
        assertThat(ConnectCommand.invalidOffset(inData)).isEqualTo(256);
        assertThat(ConnectCommand.isInvalidInData(inData)).isTrue();
        assertThat(ConnectCommand.isInvalidInData(ConnectCommand.invalidParameter(44, false)))
                .isFalse();
    }

    /** Figure "Property Get Command - Submission Queue Entry": CAP has eight bytes. */
    @Test
    void propertyGet() {
        String bytes = "7f 40 01 00 04 *35 01 00 00 00 00 00 00 00 *16";
        PropertyCommand.encodeGet(buffer, AT, 1, Property.CAP.offset(), Property.CAP.size());
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(FabricsCommand.type(received, 0)).isEqualTo(FabricsCommand.PROPERTY_GET);
        assertThat(PropertyCommand.size(received, 0)).isEqualTo(8);
        assertThat(Property.at(PropertyCommand.offset(received, 0))).isEqualTo(Property.CAP);
    }

    /** Figure "Property Set Command - Submission Queue Entry": CC, enabled. */
    @Test
    void propertySet() {
        String bytes = "7f 40 01 00 00 *35 00 00 00 00 14 00 00 00 01 00 46 00 *12";
        PropertyCommand.encodeSet(
                buffer,
                AT,
                1,
                Property.CC.offset(),
                Property.CC.size(),
                ControllerConfiguration.enabled());
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(PropertyCommand.size(received, 0)).isEqualTo(4);
        assertThat(Property.at(PropertyCommand.offset(received, 0))).isEqualTo(Property.CC);
        int cc = (int) PropertyCommand.value(received, 0);
        assertThat(ControllerConfiguration.isEnabled(cc)).isTrue();
        assertThat(ControllerConfiguration.submissionEntrySize(cc)).isEqualTo(6);
        assertThat(ControllerConfiguration.completionEntrySize(cc)).isEqualTo(4);
        assertThat(ControllerConfiguration.commandSet(cc)).isZero();
        assertThat(ControllerConfiguration.pageSize(cc)).isZero();
        assertThat(ControllerConfiguration.arbitration(cc)).isZero();
    }

    /** Figure "Disconnect Command - Submission Queue Entry". */
    @Test
    void disconnect() {
        DisconnectCommand.encode(buffer, AT, 0x0102);
        assertBytes(buffer, AT, "7f 40 02 01 08 *59");
        assertThat(DisconnectCommand.recordFormat(buffer, AT)).isZero();
    }

    /** Figure "Common Completion Queue Entry Layout": DNR, SCT 1, SC 82h. */
    @Test
    void completion() {
        String bytes = "08 07 06 05 04 03 02 01 1f 00 00 00 34 12 04 83";
        CompletionEntry.encode(buffer, AT, 0x0102030405060708L, 31, 0x1234, 0x4182);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(CompletionEntry.result(received, 0)).isEqualTo(0x0102030405060708L);
        assertThat(CompletionEntry.dw0(received, 0)).isEqualTo(0x05060708);
        assertThat(CompletionEntry.submissionHead(received, 0)).isEqualTo(31);
        assertThat(CompletionEntry.commandId(received, 0)).isEqualTo(0x1234);
        assertThat(CompletionEntry.status(received, 0)).isEqualTo(0x4182);
    }

    /** Figure "Transport SGL Data Block descriptor". */
    @Test
    void transportDescriptor() {
        SglDescriptor.encodeTransport(buffer, AT, 0x0102_0304);
        assertBytes(buffer, AT, "*8 04 03 02 01 00 00 00 5a");
        assertThat(SglDescriptor.type(buffer, AT)).isEqualTo(SglDescriptor.TRANSPORT);
    }

    /** Figure "Offset 0h: CAP", with the value of a Linux target. */
    @Test
    void capabilities() {
        long linux = 0x8200f0003ffL;
        assertThat(Capabilities.maxQueueEntries(linux)).isEqualTo(1024);
        assertThat(Capabilities.timeoutMillis(linux)).isEqualTo(7500);
        assertThat(Capabilities.hasNvmCommandSet(linux)).isTrue();
        assertThat(Capabilities.minPageSize(linux)).isEqualTo(4096);
        assertThat(Capabilities.of(1024, 15)).isEqualTo(0x200f0103ffL);
        assertThat(Capabilities.minPageSize(2L << 48)).isEqualTo(16384);
    }

    /** Figures "Offset 14h: CC", "Offset 1Ch: CSTS" and "Offset 8h: VS". */
    @Test
    void configurationAndStatus() {
        int cc = ControllerConfiguration.enabled();
        int shut = ControllerConfiguration.withShutdown(cc, 1);
        assertThat(shut).isEqualTo(0x0046_4001);
        assertThat(ControllerConfiguration.shutdown(shut)).isEqualTo(1);
        assertThat(ControllerConfiguration.withEnable(cc, false)).isEqualTo(0x0046_0000);
        int csts = ControllerStatus.of(true, false, ControllerStatus.SHUTDOWN_COMPLETE);
        assertThat(csts).isEqualTo(0x09);
        assertThat(ControllerStatus.isReady(csts)).isTrue();
        assertThat(ControllerStatus.isFatal(csts)).isFalse();
        assertThat(ControllerStatus.isFatal(2)).isTrue();
        assertThat(ControllerStatus.shutdown(csts)).isEqualTo(2);
        assertThat(Version.NVME_2_0).isEqualTo(0x0002_0000);
        assertThat(Version.minor(0x0001_0300)).isEqualTo(3);
        assertThat(Version.major(0x0001_0300)).isEqualTo(1);
        assertThat(Version.tertiary(0x0001_0304)).isEqualTo(4);
    }
}
