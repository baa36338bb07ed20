// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException;
import io.crail.nvmf.initiator.error.NvmeProtocolException;
import io.crail.nvmf.initiator.fake.FakeCommand;
import io.crail.nvmf.initiator.fake.FakeConnection;
import io.crail.nvmf.initiator.fake.FakeTarget;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.pdu.DataPdu;
import io.crail.nvmf.wire.pdu.FatalErrorStatus;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * A target that breaks the rules: the call fails in a typed way, the target is told why, no byte
 * outside of the caller's buffer is written, and the next connection works.
 */
class InitiatorProtocolErrorTest extends InitiatorHarness {
    private static final byte[] DATA = new byte[1024];

    /** What a target does instead of what it should. */
    private interface Fault {
        void commit(FakeConnection connection, FakeCommand command) throws IOException;
    }

    private void assertReadFails(Fault fault, FatalErrorStatus status) throws Exception {
        assertReadFails(config(), fault, status);
    }

    private void assertReadFails(InitiatorConfig config, Fault fault, FatalErrorStatus status)
            throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config.withRetries(0));
        commitOnce(target, IoOpcode.READ, fault);
        ByteBuffer buffer = guarded(1024);
        assertThat(failureOf(namespace.read(0, buffer))).isInstanceOf(NvmeProtocolException.class);
        assertGuards(buffer);
        assertTermination(target, status);
        namespace.read(0, buffer).await(); // it has come back
        assertGuards(buffer);
    }

    private static void commitOnce(FakeTarget target, int opcode, Fault fault) {
        AtomicInteger commands = new AtomicInteger();
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(opcode) && commands.incrementAndGet() == 1) {
                        fault.commit(connection, command);
                        return true;
                    }
                    return false;
                };
    }

    private static void assertTermination(FakeTarget target, FatalErrorStatus status) {
        Awaitility.await().until(() -> !target.terminations.isEmpty());
        assertThat(target.terminations.peek().status()).isEqualTo(status.code());
    }

    @Test
    void dataBehindTheBuffer() throws Exception {
        assertReadFails(
                (connection, command) ->
                        connection.sendData(command.id(), 0, new byte[1028], 0, 1028, true, false),
                FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    @Test
    void dataFarBehindTheBuffer() throws Exception {
        assertReadFails(
                (connection, command) ->
                        connection.sendData(command.id(), -1024, DATA, 0, 1024, true, false),
                FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    @Test
    void dataThatLeavesAGap() throws Exception {
        assertReadFails(
                (connection, command) ->
                        connection.sendData(command.id(), 512, DATA, 0, 512, true, false),
                FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    @Test
    void dataTwice() throws Exception {
        assertReadFails(
                (connection, command) -> {
                    connection.sendData(command.id(), 0, DATA, 0, 512, false, false);
                    connection.sendData(command.id(), 0, DATA, 0, 512, false, false);
                },
                FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    @Test
    void dataOfNoCommand() throws Exception {
        assertReadFails(
                (connection, command) ->
                        connection.sendData(command.id() ^ 1, 0, DATA, 0, 1024, true, false),
                FatalErrorStatus.INVALID_HEADER_FIELD);
    }

    @Test
    void completionOfNoCommand() throws Exception {
        assertReadFails(
                (connection, command) -> connection.respond(command.id() ^ 0x8000, 0, 0),
                FatalErrorStatus.INVALID_HEADER_FIELD);
    }

    @Test
    void completionBeyondAllPlaces() throws Exception {
        assertReadFails(
                (connection, command) -> connection.respond(0x3FF, 0, 0),
                FatalErrorStatus.INVALID_HEADER_FIELD);
    }

    @Test
    void requestForDataOfRead() throws Exception {
        assertReadFails(
                (connection, command) -> connection.askFor(command.id(), 1, 0, 512),
                FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    @Test
    void pduOfTheHost() throws Exception {
        assertReadFails(
                (connection, command) -> {
                    ByteBuffer pdu = ByteBuffer.allocate(DataPdu.SIZE);
                    DataPdu.encodeFromHost(pdu, 0, PduFraming.PLAIN, 1, 1, 0, 0, true);
                    connection.send(pdu);
                },
                FatalErrorStatus.SEQUENCE_ERROR);
    }

    @Test
    void unknownPdu() throws Exception {
        assertReadFails(
                (connection, command) ->
                        connection.send(ByteBuffer.wrap(new byte[] {8, 0, 24, 0, 24, 0, 0, 0})),
                FatalErrorStatus.INVALID_HEADER_FIELD);
    }

    @Test
    void wrongHeaderDigest() throws Exception {
        assertReadFails(
                config().withDigests(true, false),
                (connection, command) -> {
                    ByteBuffer pdu = ByteBuffer.allocate(64);
                    connection.outgoing().encodeHeader(pdu, 0, PduType.CAPSULE_RESP, 0, 0);
                    int size =
                            connection
                                    .outgoing()
                                    .sealHeader(pdu, 0, PduType.CAPSULE_RESP, new PduDigest());
                    pdu.put(PduHeader.SIZE, (byte) 1);
                    connection.send(pdu.limit(size));
                },
                FatalErrorStatus.HEADER_DIGEST_ERROR);
    }

    @Test
    void completionTwice() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        commitOnce(
                target,
                IoOpcode.FLUSH,
                (connection, command) -> {
                    connection.respond(command.id(), 0, 0);
                    connection.respond(command.id(), 0, 0);
                });
        namespace.flush().await();
        // The second one may find the place taken by the next command: it is not taken for its.
        ByteBuffer buffer = guarded(512);
        namespace.read(3, buffer).await();
        assertThat(bytes(buffer))
                .isEqualTo(java.util.Arrays.copyOfRange(target.medium, 1536, 2048));
        assertTermination(target, FatalErrorStatus.INVALID_HEADER_FIELD);
    }

    private void assertWriteFails(Fault fault, FatalErrorStatus status) throws Exception {
        FakeTarget target = newTarget();
        target.inCapsuleBytes = 512;
        NvmeNamespace namespace = open(target, config());
        commitOnce(target, IoOpcode.WRITE, fault);
        assertThat(failureOf(namespace.write(0, random(1024, 1))))
                .isInstanceOf(NvmeOutcomeUnknownException.class)
                .hasCauseInstanceOf(NvmeProtocolException.class);
        assertTermination(target, status);
        namespace.write(0, random(1024, 1)).await();
        assertThat(target.faults).isEmpty();
    }

    @Test
    void requestBeyondTheCommand() throws Exception {
        assertWriteFails(
                (connection, command) -> connection.askFor(command.id(), 1, 512, 1024),
                FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    @Test
    void requestFarBeyondTheCommand() throws Exception {
        assertWriteFails(
                (connection, command) -> connection.askFor(command.id(), 1, -4, 8),
                FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    @Test
    void dataForWrite() throws Exception {
        assertWriteFails(
                (connection, command) ->
                        connection.sendData(command.id(), 0, DATA, 0, 512, true, false),
                FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    @Test
    void requestForWhatWasInTheCapsule() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        commitOnce(
                target,
                IoOpcode.WRITE,
                (connection, command) -> connection.askFor(command.id(), 1, 0, 512));
        assertThat(failureOf(namespace.write(0, random(512, 1))))
                .isInstanceOf(NvmeOutcomeUnknownException.class);
        assertTermination(target, FatalErrorStatus.DATA_OUT_OF_RANGE);
    }

    /** Success without all of the data is not success. */
    @Test
    void tooLittleData() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        commitOnce(
                target,
                IoOpcode.READ,
                (connection, command) -> {
                    connection.sendData(command.id(), 0, DATA, 0, 512, true, false);
                    connection.respond(command.id(), 0, 0);
                });
        ByteBuffer buffer = guarded(1024);
        namespace.read(0, buffer).await(); // the second attempt brings all
        assertThat(bytes(buffer)).isEqualTo(java.util.Arrays.copyOf(target.medium, 1024));
        commitOnce(
                target,
                IoOpcode.READ,
                (connection, command) -> connection.respond(command.id(), 0, 0));
        NvmeNamespace once = open(target, config().withRetries(0));
        assertThat(failureOf(once.read(0, buffer))).isInstanceOf(NvmeException.class);
    }
}
