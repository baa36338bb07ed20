// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.target.host.Completion;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestHost.Options;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.ConnectCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written is read again, whatever way the bytes take. */
class ReadWriteTest {
    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({
        "4096, false, false, 0", "4096, true, false, 0", "4096, false, true, 0",
        "4096, true, true, 31", "512, false, false, 3", "512, true, true, 0"
    })
    void readsWhatWasWrittenWithEachCombinationOfDigests(
            int blockBytes, boolean header, boolean data, int alignment) throws IOException {
        try (TestTarget target = new TestTarget(directory, blockBytes, each -> each);
                TestHost host =
                        TestHost.withQueue(
                                target.address(),
                                UUID.randomUUID(),
                                Options.PLAIN.withDigests(header, data).withAlignment(alignment))) {
            int seed = 1;
            for (int bytes : new int[] {blockBytes, 8192, 16384, 65536, 1 << 20}) {
                for (boolean inCapsule : new boolean[] {true, false}) {
                    if (inCapsule && bytes > 16384) {
                        continue;
                    }
                    byte[] written = TestTarget.random(seed++, bytes);
                    long first = 3L + seed;
                    host.write(first, bytes / blockBytes, written, inCapsule).expectSuccess();
                    Completion read = host.read(first, bytes / blockBytes, blockBytes);
                    assertThat(read.expectSuccess().data()).isEqualTo(written);
                    assertThat(target.fileBytes(first * blockBytes, bytes)).isEqualTo(written);
                }
            }
        }
    }

    @Test
    void leavesOutTheResponseWhereTheHostTakesNoFlowControl() throws IOException {
        Options options = Options.PLAIN.withAttributes(ConnectCommand.ATTRIBUTE_NO_FLOW_CONTROL);
        try (TestTarget target = new TestTarget(directory);
                TestHost host = TestHost.withQueue(target.address(), UUID.randomUUID(), options)) {
            byte[] written = TestTarget.random(7, 4096);
            assertThat(host.write(5, 1, written, true).expectSuccess().head()).isEqualTo(0xFFFF);
            Completion read = host.read(5, 1, 4096);
            assertThat(read.head()).as("no response capsule").isEqualTo(-1);
            assertThat(read.data()).isEqualTo(written);
        }
    }

    @Test
    void tellsHowFarTheSubmissionQueueWasRead() throws IOException {
        try (TestTarget target = new TestTarget(directory);
                TestHost host = target.host()) {
            // Connect was the first command of the queue, which has 32 entries.
            for (int command = 2; command < 70; command++) {
                assertThat(host.flush().expectSuccess().head()).isEqualTo(command % 32);
            }
        }
    }

    @Test
    void keepsBlocksOfOneUnitApartThatManyQueuesWrite() throws IOException {
        try (TestTarget target = new TestTarget(directory, 512, each -> each);
                TestHost host = target.host()) {
            // Blocks of 512 bytes in units of 4096: each write has to keep its neighbours.
            for (int round = 0; round < 20; round++) {
                Map<Integer, byte[]> written = new HashMap<>();
                for (int block = 0; block < 16; block++) {
                    byte[] data = TestTarget.random(round * 100L + block, 512);
                    ByteBuffer entry = host.block(IoOpcode.WRITE, block, 1);
                    written.put(block, data);
                    host.queue().startWrite(entry, data, block % 2 == 0);
                }
                for (int block = 0; block < 16; block++) {
                    host.queue().completion().expectSuccess();
                }
                for (int block = 0; block < 16; block++) {
                    assertThat(host.read(block, 1, 512).expectSuccess().data())
                            .isEqualTo(written.get(block));
                }
            }
        }
    }

    @Test
    void answersManyCommandsOfSeveralQueuesAtATime() throws IOException {
        try (TestTarget target = new TestTarget(directory);
                TestHost host = target.host()) {
            host.openQueue(2).expectSuccess();
            host.openQueue(3).expectSuccess();
            for (int round = 0; round < 20; round++) {
                Map<Integer, byte[]> expected = new HashMap<>();
                for (int index = 0; index < 90; index++) {
                    TestQueue queue = host.queue(index % 3);
                    int id = 1000 + index;
                    byte[] data = TestTarget.random(round * 1000L + index, 8192);
                    expected.put(id, data);
                    ByteBuffer entry = TestQueue.entry();
                    BlockCommand.encode(entry, 0, IoOpcode.WRITE, id, 1, index * 2L, 2);
                    queue.startWrite(entry, data, index % 2 == 0);
                }
                drain(host);
                for (int index = 0; index < 90; index++) {
                    ByteBuffer entry = TestQueue.entry();
                    BlockCommand.encode(entry, 0, IoOpcode.READ, 1000 + index, 1, index * 2L, 2);
                    host.queue(index % 3).startRead(entry, 8192);
                }
                for (int index = 0; index < 90; index++) {
                    Completion read = host.queue(index % 3).completion().expectSuccess();
                    assertThat(read.data()).isEqualTo(expected.get(read.commandId()));
                }
            }
        }
    }

    private static void drain(TestHost host) throws IOException {
        for (int index = 0; index < 90; index++) {
            host.queue(index % 3).completion().expectSuccess();
        }
    }
}
