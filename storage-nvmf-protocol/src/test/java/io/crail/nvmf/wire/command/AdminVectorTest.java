// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import static io.crail.nvmf.wire.Bytes.assertBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.Bytes;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Admin commands against bytes written by hand after the figures of NVMe Base 2.0. */
class AdminVectorTest {
    private static final int AT = 1;

    private final ByteBuffer buffer = Bytes.dirty(128);

    /** Figure "Identify - Command Dword 10". */
    @Test
    void identify() {
        String bytes = "06 40 05 00 07 00 00 00 *32 03 00 00 00 *20";
        IdentifyCommand.encode(buffer, AT, 5, 7, IdentifyCommand.NAMESPACE_DESCRIPTORS);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(SubmissionEntry.opcode(received, 0)).isEqualTo(AdminOpcode.IDENTIFY);
        assertThat(SubmissionEntry.commandId(received, 0)).isEqualTo(5);
        assertThat(SubmissionEntry.namespaceId(received, 0)).isEqualTo(7);
        assertThat(IdentifyCommand.structure(received, 0)).isEqualTo(3);
        ByteBuffer other = Bytes.of("06 40 *38 06 00 34 12 00 00 00 02 *16");
        assertThat(IdentifyCommand.structure(other, 0)).isEqualTo(6);
        assertThat(IdentifyCommand.controllerId(other, 0)).isEqualTo(0x1234);
        assertThat(IdentifyCommand.commandSet(other, 0)).isEqualTo(2);
    }

    /** Figures "Set Features - Command Dword 10" and "Number of Queues - Command Dword 11". */
    @Test
    void setNumberOfQueues() {
        String bytes = "09 40 05 00 *36 07 00 00 00 03 00 01 00 *16";
        FeaturesCommand.encodeSet(
                buffer, AT, 5, 0, FeatureId.NUMBER_OF_QUEUES, QueueCounts.of(4, 2));
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(FeaturesCommand.feature(received, 0)).isEqualTo(7);
        assertThat(FeaturesCommand.isSave(received, 0)).isFalse();
        int value = FeaturesCommand.value(received, 0);
        assertThat(QueueCounts.submissionQueues(value)).isEqualTo(4);
        assertThat(QueueCounts.completionQueues(value)).isEqualTo(2);
    }

    /** Figures "Set Features": keep-alive timer of 15 s, asynchronous events, host behaviour. */
    @Test
    void setOtherFeatures() {
        FeaturesCommand.encodeSet(buffer, AT, 1, 0, FeatureId.KEEP_ALIVE_TIMER, 15_000);
        assertBytes(buffer, AT, "09 40 01 00 *36 0f 00 00 00 98 3a 00 00 *16");
        FeaturesCommand.encodeSet(
                buffer, AT, 1, 0, FeatureId.ASYNC_EVENTS, AsyncEvent.CONFIGURE_NAMESPACE);
        assertBytes(buffer, AT, "09 40 01 00 *36 0b 00 00 00 00 01 00 00 *16");
        FeaturesCommand.encodeSet(buffer, AT, 1, 0, FeatureId.HOST_BEHAVIOR, 0);
        assertBytes(buffer, AT, "09 40 01 00 *36 16 *23");
        assertThat(FeaturesCommand.isSave(Bytes.of("09 *39 06 00 00 80 *20"), 0)).isTrue();
    }

    /** Figure "Get Features - Command Dword 10". */
    @Test
    void getFeatures() {
        String bytes = "0a 40 05 00 01 00 00 00 *32 06 03 00 00 *20";
        FeaturesCommand.encodeGet(
                buffer,
                AT,
                5,
                1,
                FeatureId.VOLATILE_WRITE_CACHE,
                FeaturesCommand.SELECT_CAPABILITIES);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(FeaturesCommand.feature(received, 0)).isEqualTo(6);
        assertThat(FeaturesCommand.select(received, 0)).isEqualTo(3);
    }

    /** Figure "Get Log Page - Command Dword 10" to "13": 20 KiB of discovery from 4 GiB + 1 KiB. */
    @Test
    void getLogPage() {
        String bytes =
                "02 40 05 00 *36"
                        + " 70 80 ff 13" // LID, RAE, NUMDL
                        + " 00 00 00 00" // NUMDU
                        + " 00 04 00 00 01 00 00 00 *8"; // LPOL, LPOU
        LogPageCommand.encode(
                buffer, AT, 5, 0, LogPageCommand.DISCOVERY, 20480, (1L << 32) + 1024, true);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(LogPageCommand.page(received, 0)).isEqualTo(0x70);
        assertThat(LogPageCommand.specific(received, 0)).isZero();
        assertThat(LogPageCommand.isEventRetained(received, 0)).isTrue();
        assertThat(LogPageCommand.length(received, 0)).isEqualTo(20480);
        assertThat(LogPageCommand.offset(received, 0)).isEqualTo((1L << 32) + 1024);
        assertThat(LogPageCommand.isOffsetIndex(received, 0)).isFalse();
        ByteBuffer large = Bytes.of("02 *39 02 0f ff ff ff ff 00 00 *8 00 00 80 00 *4");
        assertThat(LogPageCommand.length(large, 0)).isEqualTo(16L << 30);
        assertThat(LogPageCommand.specific(large, 0)).isEqualTo(0x0F);
        assertThat(LogPageCommand.isOffsetIndex(large, 0)).isTrue();
    }

    /** Figure "Abort - Command Dword 10". */
    @Test
    void abort() {
        String bytes = "08 40 05 00 *36 02 00 34 12 *20";
        AbortCommand.encode(buffer, AT, 5, 2, 0x1234);
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(AbortCommand.queueId(received, 0)).isEqualTo(2);
        assertThat(AbortCommand.abortedCommandId(received, 0)).isEqualTo(0x1234);
        assertThat(AbortCommand.isAborted(AbortCommand.result(true))).isTrue();
        assertThat(AbortCommand.result(false)).isEqualTo(1);
        assertThat(AbortCommand.isAborted(1)).isFalse();
    }

    @Test
    void keepAliveAndAsyncEventRequest() {
        KeepAliveCommand.encode(buffer, AT, 0x0201);
        assertBytes(buffer, AT, "18 40 01 02 *60");
        AsyncEvent.encodeRequest(buffer, AT, 0x0201);
        assertBytes(buffer, AT, "0c 40 01 02 *60");
    }

    /** Figure "Asynchronous Event Request - Completion Queue Entry Dword 0". */
    @Test
    void asyncEvent() {
        int dw0 =
                AsyncEvent.of(
                        AsyncEvent.TYPE_NOTICE,
                        AsyncEvent.DISCOVERY_CHANGED,
                        LogPageCommand.DISCOVERY);
        assertThat(dw0).isEqualTo(0x0070_F002);
        assertThat(AsyncEvent.type(dw0)).isEqualTo(AsyncEvent.TYPE_NOTICE);
        assertThat(AsyncEvent.information(dw0)).isEqualTo(0xF0);
        assertThat(AsyncEvent.logPage(dw0)).isEqualTo(0x70);
    }

    @Test
    void directionOfDataIsInTheOpcode() {
        assertThat(DataDirection.of(IoOpcode.FLUSH)).isEqualTo(DataDirection.NONE);
        assertThat(DataDirection.of(IoOpcode.WRITE)).isEqualTo(DataDirection.HOST_TO_CONTROLLER);
        assertThat(DataDirection.of(IoOpcode.READ)).isEqualTo(DataDirection.CONTROLLER_TO_HOST);
        assertThat(DataDirection.of(AdminOpcode.IDENTIFY))
                .isEqualTo(DataDirection.CONTROLLER_TO_HOST);
        assertThat(DataDirection.of(FabricsCommand.CONNECT))
                .isEqualTo(DataDirection.HOST_TO_CONTROLLER);
        assertThat(DataDirection.of(IoOpcode.RESERVATION_REPORT))
                .isEqualTo(DataDirection.CONTROLLER_TO_HOST);
    }
}
