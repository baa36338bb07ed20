// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import static io.crail.nvmf.wire.Bytes.assertBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.wire.Bytes;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.identify.LocalSocketField;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands of our own, against bytes written by hand after their description. */
class SharedMemoryVectorTest {
    private static final int AT = 1;

    private final ByteBuffer buffer = Bytes.dirty(8192);

    @Test
    void share() {
        SharedMemoryCommand.encodeShare(buffer, AT, 0x0102);
        assertBytes(buffer, AT, "82 40 02 01 *60");
        assertThat(DataDirection.of(IoOpcode.SHARE_MEMORY))
                .isEqualTo(DataDirection.CONTROLLER_TO_HOST);
    }

    @Test
    void use() {
        SharedMemoryCommand.encodeUse(buffer, AT, 5, true);
        assertBytes(buffer, AT, "80 40 05 00 *36 01 *23");
        assertThat(SharedMemoryCommand.isMapped(buffer, AT)).isTrue();
        SharedMemoryCommand.encodeUse(buffer, AT, 5, false);
        assertBytes(buffer, AT, "80 40 05 00 *60");
        assertThat(SharedMemoryCommand.isMapped(buffer, AT)).isFalse();
        assertThat(DataDirection.of(IoOpcode.USE_MEMORY)).isEqualTo(DataDirection.NONE);
    }

    @Test
    void answer() {
        SharedMemoryCommand.encodeAnswer(buffer, AT, 0x0080_0000, "/m/q");
        String bytes = "63 72 61 69 6c 73 68 6d 00 00 80 00 *4 2f 6d 2f 71 *4076";
        assertBytes(buffer, AT, bytes);
        ByteBuffer received = Bytes.of(bytes);
        assertThat(received.remaining()).isEqualTo(SharedMemoryCommand.ANSWER_SIZE);
        assertThat(SharedMemoryCommand.isAnswer(received, 0)).isTrue();
        assertThat(SharedMemoryCommand.bytes(received, 0)).isEqualTo(8 << 20);
        assertThat(SharedMemoryCommand.path(received, 0)).isEqualTo("/m/q");
        assertThat(SharedMemoryCommand.isAnswer(Bytes.of("*4096"), 0)).isFalse();
        assertThatThrownBy(() -> SharedMemoryCommand.encodeAnswer(buffer, AT, 1, "/x".repeat(2040)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mark() {
        String name = "00112233-4455-6677-8899-aabbccddeeff";
        ByteBuffer mark = SharedMemoryCommand.mark(name);
        assertThat(mark.remaining()).isEqualTo(SharedMemoryCommand.MARK_SIZE);
        assertBytes(mark, 0, "00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff");
        assertThat(SharedMemoryCommand.mark("a-server." + name)).isEqualTo(mark);
        for (String other : List.of("", "name", name + ".")) {
            assertThatThrownBy(() -> SharedMemoryCommand.mark(other))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void descriptorOfDataInSharedMemory() {
        SglDescriptor.encodeShared(buffer, AT, 0x0011_2000, 0x0010_0000);
        assertBytes(buffer, AT, "00 20 11 00 00 00 00 00 00 00 10 00 00 00 00 f0");
        assertThat(SglDescriptor.type(buffer, AT)).isEqualTo(SglDescriptor.SHARED);
        assertThat(SglDescriptor.address(buffer, AT)).isEqualTo(0x0011_2000);
        assertThat(SglDescriptor.length(buffer, AT)).isEqualTo(1 << 20);
    }

    @Test
    void whatIdentifyControllerSaysOfIt() {
        LittleEndian.zero(buffer, 0, ControllerData.SIZE);
        assertThat(ControllerData.sharesMemory(buffer, 0)).isFalse();
        ControllerData.sharesMemory(buffer, 0, true);
        assertBytes(buffer, 3072, "63 72 61 69 6c 73 6d 31 *1016");
        assertThat(ControllerData.sharesMemory(buffer, 0)).isTrue();
        assertThat(ControllerData.takesRiders(buffer, 0)).isFalse();
        ControllerData.takesRiders(buffer, 0, true);
        assertBytes(buffer, 3072, "63 72 61 69 6c 73 6d 31 01 *1015");
        assertThat(ControllerData.takesRiders(buffer, 0)).isTrue();
        ControllerData.sharesMemory(buffer, 0, false);
        assertThat(ControllerData.takesRiders(buffer, 0)).as("without the mark").isFalse();
    }

    @Test
    void identifyControllerTellsOfASocket() {
        LittleEndian.zero(buffer, 0, ControllerData.SIZE);
        ControllerData.sharesMemory(buffer, 0, true);
        assertThat(LocalSocketField.decode(buffer, 0)).isNull();
        LocalSocketField told = socket("/a/b", "127.0.0.2", 4420);
        told.encode(buffer, 0);
        assertBytes(
                buffer,
                3072,
                "63 72 61 69 6c 73 6d 31 *8 2f 61 2f 62 *104 44 11 *12 ff ff 7f 00 00 02 *876");
        assertThat(LocalSocketField.decode(buffer, 0)).isEqualTo(told);
        LocalSocketField longest = socket("x".repeat(107), "fe80::1:2", 65535);
        longest.encode(buffer, 0);
        assertBytes(buffer, 3195, "00 ff ff 00 00 fe 80 *10 00 01 00 02");
        assertThat(LocalSocketField.decode(buffer, 0)).isEqualTo(longest);
        LocalSocketField longer = socket("x".repeat(108), "127.0.0.1", 1);
        assertThatThrownBy(() -> longer.encode(buffer, 0))
                .isInstanceOf(IllegalArgumentException.class);
        ControllerData.sharesMemory(buffer, 0, false);
        assertThat(LocalSocketField.decode(buffer, 0)).as("without the mark").isNull();
    }

    private static LocalSocketField socket(String path, String address, int port) {
        return new LocalSocketField(path, new InetSocketAddress(address, port));
    }

    @Test
    void aRiderIsNamedByTheMetadataPointer() {
        BlockCommand.encode(buffer, AT, IoOpcode.READ, 9, 1, 0x1000, 256);
        assertThat(RiderField.firstBlock(buffer, AT)).isZero();
        RiderField.encode(buffer, AT, 0x0102_0304_0506L);
        assertBytes(buffer, AT + 16, "06 05 04 03 02 01 00 00");
        assertThat(RiderField.firstBlock(buffer, AT)).isEqualTo(0x0102_0304_0506L);
        assertThat(BlockCommand.firstBlock(buffer, AT)).isEqualTo(0x1000);
    }
}
