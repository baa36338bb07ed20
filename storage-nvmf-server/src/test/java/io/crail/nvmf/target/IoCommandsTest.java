// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.target.backing.MediumHook.Access;
import io.crail.nvmf.target.backing.NoSpaceException;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.DatasetCommand;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each I/O command, and what is refused. */
class IoCommandsTest {
    private static final int BLOCK = 4096;
    private static final long BLOCKS = TestTarget.BYTES / BLOCK;

    @TempDir Path directory;

    private TestTarget target;
    private TestHost host;

    @BeforeEach
    void start() throws IOException {
        target = new TestTarget(directory);
        host = target.host();
    }

    @AfterEach
    void stop() throws IOException {
        host.close();
        target.close();
    }

    private TestQueue queue() {
        return host.queue();
    }

    @Test
    void readsTheLastBlockAndNothingBehindIt() throws IOException {
        host.read(BLOCKS - 1, 1, BLOCK).expectSuccess();
        host.read(BLOCKS, 1, BLOCK).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
        host.read(BLOCKS - 1, 2, BLOCK).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
        host.read(-1, 1, BLOCK).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
        host.read(Long.MAX_VALUE, 1, BLOCK).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
        host.write(BLOCKS, 1, new byte[BLOCK], true).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
        host.write(BLOCKS, 1, new byte[BLOCK], false).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
        host.flush().expectSuccess();
    }

    @Test
    void refusesOtherNamespaces() throws IOException {
        for (int namespace : new int[] {0, 2, -1}) {
            ByteBuffer entry = host.block(IoOpcode.READ, 0, 1);
            entry.putInt(SubmissionEntry.NAMESPACE_ID, Integer.reverseBytes(namespace));
            queue().read(entry, BLOCK).expectFinal(StatusCode.INVALID_NAMESPACE_OR_FORMAT);
        }
    }

    @Test
    void refusesUnknownCommandsAndFusedOnes() throws IOException {
        ByteBuffer unknown = host.block(0x7E, 0, 1);
        queue().plain(unknown).expectFinal(StatusCode.INVALID_OPCODE);
        ByteBuffer fused = host.block(IoOpcode.READ, 0, 1);
        fused.put(SubmissionEntry.FLAGS, (byte) 0x41);
        queue().read(fused, BLOCK).expectFinal(StatusCode.INVALID_FIELD);
        ByteBuffer prp = host.block(IoOpcode.READ, 0, 1);
        prp.put(SubmissionEntry.FLAGS, (byte) 0);
        queue().read(prp, BLOCK).expectFinal(StatusCode.INVALID_FIELD);
    }

    @Test
    void refusesDescriptorsThatDoNotFit() throws IOException {
        queue().read(host.block(IoOpcode.READ, 0, 2), BLOCK)
                .expectFinal(StatusCode.DATA_SGL_LENGTH_INVALID);
        queue().write(host.block(IoOpcode.WRITE, 0, 1), new byte[2 * BLOCK], true)
                .expectFinal(StatusCode.DATA_SGL_LENGTH_INVALID);
        queue().write(host.block(IoOpcode.WRITE, 0, 1), new byte[2 * BLOCK], false)
                .expectFinal(StatusCode.DATA_SGL_LENGTH_INVALID);

        ByteBuffer keyed = host.block(IoOpcode.READ, 0, 1);
        SglDescriptor.encodeTransport(keyed, SubmissionEntry.SGL, BLOCK);
        keyed.put(SubmissionEntry.SGL + SglDescriptor.TYPE, (byte) 0x40);
        queue().plain(keyed).expectFinal(StatusCode.SGL_TYPE_INVALID);

        ByteBuffer inCapsuleRead = host.block(IoOpcode.READ, 0, 1);
        SglDescriptor.encodeInCapsule(inCapsuleRead, SubmissionEntry.SGL, BLOCK);
        queue().plain(inCapsuleRead).expectFinal(StatusCode.SGL_TYPE_INVALID);

        ByteBuffer shifted = host.block(IoOpcode.WRITE, 0, 1);
        SglDescriptor.encodeInCapsule(shifted, SubmissionEntry.SGL, BLOCK);
        shifted.put(SubmissionEntry.SGL, (byte) 8);
        host.queue()
                .connection()
                .sendBytes(host.queue().connection().capsule(shifted, new byte[BLOCK]));
        queue().completion().expectFinal(StatusCode.SGL_OFFSET_INVALID);

        host.flush().expectSuccess();
    }

    @Test
    void refusesMoreThanTheLargestTransfer() throws IOException {
        host.read(0, 257, BLOCK).expectFinal(StatusCode.INVALID_FIELD);
        host.read(0, 256, BLOCK).expectSuccess();
    }

    @Test
    void comparesWithTheMedium() throws IOException {
        byte[] data = TestTarget.random(1, 160 * BLOCK);
        host.write(3, 160, data, false).expectSuccess();
        queue().write(host.block(IoOpcode.COMPARE, 3, 160), data, false).expectSuccess();
        data[159 * BLOCK + 7] ^= 1;
        queue().write(host.block(IoOpcode.COMPARE, 3, 160), data, false)
                .expectFinal(StatusCode.COMPARE_FAILURE);
    }

    @Test
    void writesZeroesOverWhatWasThere() throws IOException {
        int blocks = 700;
        byte[] data = TestTarget.random(2, 256 * BLOCK);
        for (int first = 0; first < 1024; first += 256) {
            host.write(first, 256, data, false).expectSuccess();
        }
        queue().plain(host.block(IoOpcode.WRITE_ZEROES, 5, blocks)).expectSuccess();
        byte[] file = target.fileBytes(0, 1024 * BLOCK);
        for (int at = 0; at < file.length; at++) {
            boolean zeroed = at >= 5 * BLOCK && at < (5 + blocks) * BLOCK;
            if (file[at] != (zeroed ? 0 : data[at % data.length])) {
                assertThat(at).as("first byte that is wrong").isNegative();
            }
        }
        queue().plain(host.block(IoOpcode.WRITE_ZEROES, BLOCKS - 1, 2))
                .expectFinal(StatusCode.LBA_OUT_OF_RANGE);
    }

    @Test
    void deallocatedBlocksReadAsLastWritten() throws IOException {
        byte[] data = TestTarget.random(3, BLOCK);
        host.write(9, 1, data, true).expectSuccess();
        deallocate(9, 1).expectSuccess();
        assertThat(host.read(9, 1, BLOCK).expectSuccess().data()).isEqualTo(data);
        deallocate(BLOCKS - 1, 2).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
        deallocate(-1, 2).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
    }

    private io.crail.nvmf.target.host.Completion deallocate(long first, int blocks)
            throws IOException {
        ByteBuffer entry = TestQueue.entry();
        DatasetCommand.encodeDeallocate(entry, 0, queue().nextId(), 1, 2);
        ByteBuffer ranges = ByteBuffer.allocate(2 * DatasetCommand.RANGE_SIZE);
        DatasetCommand.encodeRange(ranges, 0, 0, 1);
        DatasetCommand.encodeRange(ranges, DatasetCommand.RANGE_SIZE, first, blocks);
        return queue().write(entry, ranges.array(), true);
    }

    /** As Linux sends them. */
    @Test
    void takesStructuresWithMoreBytesThanTheyNeed() throws IOException {
        ByteBuffer ranges = TestQueue.entry();
        DatasetCommand.encodeDeallocate(ranges, 0, queue().nextId(), 1, 1);
        ByteBuffer all = ByteBuffer.allocate(BLOCK);
        DatasetCommand.encodeRange(all, 0, 5, 6);
        queue().write(ranges, all.array(), true).expectSuccess();
        ByteBuffer tooMany = TestQueue.entry();
        DatasetCommand.encodeDeallocate(tooMany, 0, queue().nextId(), 1, 1);
        queue().write(tooMany, new byte[2 * BLOCK], true)
                .expectFinal(StatusCode.DATA_SGL_LENGTH_INVALID);
        ByteBuffer release = TestQueue.entry();
        ReservationCommand.encodeRelease(
                release, 0, queue().nextId(), 1, ReservationCommand.RELEASE, 1);
        queue().write(release, new byte[16], true).expectFinal(StatusCode.RESERVATION_CONFLICT);
    }

    @Test
    void flushesWhenItIsAskedTo() throws IOException {
        AtomicInteger flushes = new AtomicInteger();
        target.hook(
                (access, position, bytes) -> {
                    if (access == Access.FLUSH) {
                        flushes.incrementAndGet();
                    }
                });
        host.write(0, 1, new byte[BLOCK], true).expectSuccess();
        assertThat(flushes).as("after a plain write").hasValue(0);
        host.flush().expectSuccess();
        assertThat(flushes).hasValue(1);
        ByteBuffer all = TestQueue.entry();
        BlockCommand.encodeFlush(all, 0, queue().nextId(), -1);
        queue().plain(all).expectSuccess();
        assertThat(flushes).as("after a flush of all namespaces").hasValue(2);
        ByteBuffer fua = host.block(IoOpcode.WRITE, 0, 1);
        BlockCommand.setForceUnitAccess(fua, 0);
        queue().write(fua, new byte[BLOCK], true).expectSuccess();
        assertThat(flushes).as("after a write with FUA").hasValue(3);

        ByteBuffer off = TestQueue.entry();
        FeaturesCommand.encodeSet(
                off, 0, host.admin().nextId(), 0, FeatureId.VOLATILE_WRITE_CACHE, 0);
        host.admin().plain(off).expectSuccess();
        host.write(0, 1, new byte[BLOCK], true).expectSuccess();
        assertThat(flushes).as("after a write without write cache").hasValue(4);
    }

    @Test
    void failuresOfTheMediumHaveTheirStatusAndLeaveTheQueueAlive() throws IOException {
        target.hook(
                (access, position, bytes) -> {
                    if (position == 5 * BLOCK) {
                        throw new IOException("a bad sector");
                    }
                    if (position == 6 * BLOCK) {
                        throw new NoSpaceException("full", new IOException("full"));
                    }
                    if (position == 7 * BLOCK) {
                        throw new IllegalStateException("a bug");
                    }
                });
        host.read(5, 1, BLOCK).expect(StatusCode.UNRECOVERED_READ_ERROR);
        host.write(5, 1, new byte[BLOCK], true).expect(StatusCode.WRITE_FAULT);
        host.write(6, 1, new byte[BLOCK], false).expectFinal(StatusCode.CAPACITY_EXCEEDED);
        host.read(7, 1, BLOCK).expectFinal(StatusCode.INTERNAL_ERROR);
        host.read(8, 1, BLOCK).expectSuccess();
        assertThat(target.target().statistics().dataBytes()).isZero();
    }

    @Test
    void twoCommandsWithOneIdentifierConflict() throws Exception {
        var stalled = new Stall(Access.READ);
        target.hook(stalled);
        ByteBuffer first = host.block(IoOpcode.READ, 0, 1);
        queue().startRead(first, BLOCK);
        stalled.awaitStalled();
        ByteBuffer second = TestQueue.entry();
        BlockCommand.encodeFlush(second, 0, SubmissionEntry.commandId(first, 0), 1);
        queue().plain(second).expectFinal(StatusCode.COMMAND_ID_CONFLICT);
        stalled.release();
    }
}
