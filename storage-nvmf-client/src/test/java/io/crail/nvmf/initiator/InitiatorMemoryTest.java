// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.fake.FakeCommand;
import io.crail.nvmf.initiator.fake.FakeConnection;
import io.crail.nvmf.initiator.fake.FakeTarget;
import io.crail.nvmf.initiator.queue.DataTaker;
import io.crail.nvmf.initiator.queue.KeptPart;
import io.crail.nvmf.initiator.queue.Rider;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.RiderField;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SharedMemoryCommand;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Targets that offer memory to share, and what a host takes of that. */
class InitiatorMemoryTest extends InitiatorHarness {
    private static final int MEMORY = 1 << 20;
    private static final int PIECE = 64 << 10;

    @TempDir Path directory;

    /** What the target was told by Use Memory. */
    private final Queue<Boolean> used = new ConcurrentLinkedQueue<>();

    /** Writes whose data lay in shared memory. */
    private final Queue<Integer> lent = new ConcurrentLinkedQueue<>();

    private interface Answer {
        void to(FakeConnection connection, FakeCommand command) throws IOException;
    }

    /** A target that answers Share Memory so. */
    private FakeTarget target(Answer answer) throws Exception {
        FakeTarget target = newTarget();
        target.sharesMemory = true;
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(IoOpcode.SHARE_MEMORY)) {
                        answer.to(connection, command);
                        return true;
                    }
                    if (command.isIo(IoOpcode.USE_MEMORY)) {
                        used.add(SharedMemoryCommand.isMapped(command.entry(), 0));
                        connection.respond(command.id(), 0, 0);
                        return true;
                    }
                    if (SglDescriptor.type(command.entry(), SubmissionEntry.SGL)
                            == SglDescriptor.SHARED) {
                        lent.add(command.opcode());
                        connection.respond(command.id(), 0, 0);
                        return true;
                    }
                    return false;
                };
        return target;
    }

    private static Answer file(Path path, int bytes) {
        return (connection, command) -> {
            ByteBuffer answer = ByteBuffer.allocate(SharedMemoryCommand.ANSWER_SIZE);
            SharedMemoryCommand.encodeAnswer(answer, 0, bytes, path.toString());
            connection.sendAll(command, answer.array());
        };
    }

    private Path memory(UUID name, UUID mark) throws IOException {
        byte[] content = new byte[MEMORY];
        SharedMemoryCommand.mark(mark.toString()).get(content, 0, SharedMemoryCommand.MARK_SIZE);
        return Files.write(directory.resolve(name.toString()), content);
    }

    /** Writes until the target was asked for memory and told what became of it, and some more. */
    private NvmeNamespace writeOn(FakeTarget target, boolean answers) throws Exception {
        NvmeNamespace namespace = open(target, config().withQueues(1, 8, 512));
        ByteBuffer data = ByteBuffer.allocateDirect(PIECE);
        for (int index = 0; index < PIECE; index++) {
            data.put(index, (byte) 9);
        }
        for (int call = 0; call < 40; call++) {
            namespace.write(0, data).await();
        }
        if (answers) {
            Awaitility.await().until(() -> !used.isEmpty());
        }
        for (int call = 0; call < 40; call++) {
            namespace.write(0, data).await();
        }
        assertThat(target.faults).isEmpty();
        assertThat(target.connections).hasValue(2);
        return namespace;
    }

    @Test
    void memoryOfTheTargetIsUsed() throws Exception {
        UUID name = UUID.randomUUID();
        Path file = memory(name, name);
        writeOn(target(file(file, MEMORY)), true);
        assertThat(used).containsExactly(true);
        assertThat(lent).contains(IoOpcode.WRITE);
        assertThat(Files.readAllBytes(file)).startsWith(new byte[] {9, 9, 9, 9});
    }

    /** How each attempt of its command went. */
    private static final class Passenger implements Rider {
        final Queue<String> attempts = new ConcurrentLinkedQueue<>();

        @Override
        public long firstBlock() {
            return 64;
        }

        @Override
        public void put(ByteBuffer memory, int at) {
            attempts.add("went along");
        }

        @Override
        public void staysBehind() {
            attempts.add("stayed behind");
        }

        @Override
        public void take(ByteBuffer memory, int at) {
            attempts.add("was read");
        }
    }

    /** How a write ended, and who said so. */
    private record Ended(@Nullable NvmeException cause, Thread thread) {}

    /** Waits without polling: that is left to the initiator's own thread. */
    private static Ended write(NvmeNamespace namespace, ByteBuffer data, SharedExtras extras)
            throws Exception {
        CompletableFuture<Ended> ended = new CompletableFuture<>();
        namespace
                .command(
                        IoOpcode.WRITE,
                        0,
                        data,
                        (buffer, at) -> {},
                        extras,
                        cause -> ended.complete(new Ended(cause, Thread.currentThread())))
                .start();
        return ended.get(60, TimeUnit.SECONDS);
    }

    /** Writes with a rider by a queue that takes it, which is not the one of other threads. */
    private static Ended share(NvmeNamespace namespace, ByteBuffer data, Rider rider)
            throws Exception {
        for (int i = 0; i < 5000 && !namespace.takesRiders(0, PIECE); i++) {
            assertThat(write(namespace, data, SharedExtras.NONE).cause()).isNull();
        }
        assertThat(namespace.takesRiders(0, PIECE)).isTrue();
        return write(namespace, data, new SharedExtras(rider, null, null));
    }

    /**
     * Who posts a command chooses its queue. A repetition is posted by the initiator's own thread,
     * whose queue has no memory here.
     */
    @Test
    void aRiderIsToldIfTheRepetitionGoesByAQueueThatDoesNotTakeIt() throws Exception {
        UUID name = UUID.randomUUID();
        FakeTarget target = target(file(memory(name, name), MEMORY));
        target.takesRiders = true;
        FakeTarget.Interceptor shares = target.interceptor;
        target.interceptor =
                (connection, command) -> {
                    if (command.queueId() > 0 && RiderField.firstBlock(command.entry(), 0) == 64) {
                        connection.respond(command.id(), 0, StatusCode.ABORT_REQUESTED.status());
                        return true;
                    }
                    return shares.intercept(connection, command);
                };
        NvmeNamespace namespace = open(target, config().withQueues(2, 8, 512));
        ByteBuffer data = random(PIECE, 7);
        Thread poller = write(namespace, guarded(512), SharedExtras.NONE).thread();
        Passenger passenger = new Passenger();
        FutureTask<Ended> task = new FutureTask<>(() -> share(namespace, data, passenger));
        Thread poster = new Thread(task);
        while (poster.getId() % 2 == poller.getId() % 2) {
            poster = new Thread(task);
        }
        poster.start();
        assertThat(task.get(60, TimeUnit.SECONDS).cause()).isNull();
        assertThat(passenger.attempts).containsExactly("went along", "stayed behind");
        assertThat(target.medium).as("by the socket").startsWith(bytes(data));
        assertThat(target.faults).isEmpty();
    }

    /** Keeps what comes by shared memory, and hears how its command ended. */
    private static final class Looker implements DataTaker, IoCompletion {
        final CompletableFuture<KeptPart> part = new CompletableFuture<>();
        final CompletableFuture<Boolean> ended = new CompletableFuture<>();
        volatile boolean copied;

        @Override
        public void take(ByteBuffer memory, int at) {
            copied = true;
        }

        @Override
        public boolean keeps() {
            return true;
        }

        @Override
        public void keep(KeptPart newPart) {
            part.complete(newPart);
        }

        @Override
        public void ended(@Nullable NvmeException cause) {
            ended.complete(cause == null);
        }
    }

    private static Looker look(NvmeNamespace namespace, ByteBuffer spare) {
        Looker looker = new Looker();
        SharedExtras extras = new SharedExtras(null, null, looker);
        namespace.command(IoOpcode.READ, 0, spare, (buffer, at) -> {}, extras, looker).start();
        return looker;
    }

    private static Looker looked(NvmeNamespace namespace, ByteBuffer spare) throws Exception {
        Looker looker = look(namespace, spare);
        assertThat(looker.ended.get(60, TimeUnit.SECONDS)).isTrue();
        return looker;
    }

    /**
     * A reader keeps half of the memory, and waits for what it has asked for behind that, which is
     * larger than what is left. Nothing else is under way, and nothing is given back.
     */
    @Test
    void whatIsReadIsLookedAtWhereItIsAndHoldsUpNobody() throws Exception {
        UUID name = UUID.randomUUID();
        FakeTarget target = target(file(memory(name, name), MEMORY));
        NvmeNamespace namespace = writeOn(target, true);
        ByteBuffer spare = guarded(2 * PIECE);
        List<KeptPart> kept = new ArrayList<>();
        for (int i = 0; i < MEMORY / PIECE / 2 / 2; i++) {
            kept.add(looked(namespace, spare).part.get(60, TimeUnit.SECONDS));
        }
        ByteBuffer first = kept.get(0).data();
        assertThat(first.remaining()).isEqualTo(2 * PIECE);
        assertThat(first.get(0)).as("as the last write has left it").isEqualTo((byte) 9);
        assertThat(looked(namespace, spare).copied).as("more is copied").isTrue();
        ByteBuffer large = guarded(MEMORY / 2 + PIECE);
        Looker bySocket = looked(namespace, large);
        assertThat(bySocket.copied).isFalse();
        assertThat(bySocket.part).isNotDone();
        assertThat(target.medium).startsWith(bytes(large));
        assertGuards(large);
        kept.forEach(KeptPart::close);
        KeptPart half = looked(namespace, guarded(MEMORY / 2)).part.get(60, TimeUnit.SECONDS);
        assertThat(half.data().remaining()).isEqualTo(MEMORY / 2);
        assertThat(target.faults).isEmpty();
    }

    /** Who closes is not the poller, and nobody else tells the queue. */
    @Test
    void whoGivesBackLetsThoseGoWhoWait() throws Exception {
        UUID name = UUID.randomUUID();
        FakeTarget target = target(file(memory(name, name), MEMORY));
        NvmeNamespace namespace = writeOn(target, true);
        FakeTarget.Interceptor shares = target.interceptor;
        KeptPart half = looked(namespace, guarded(MEMORY / 2)).part.get(60, TimeUnit.SECONDS);
        CompletableFuture<Runnable> held = new CompletableFuture<>();
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(IoOpcode.READ) && !held.isDone()) {
                        held.complete(() -> respond(connection, command));
                        return true;
                    }
                    return shares.intercept(connection, command);
                };
        Looker first = look(namespace, guarded(2 * PIECE));
        Runnable answer = held.get(60, TimeUnit.SECONDS);
        Looker second = look(namespace, guarded(MEMORY / 2));
        assertThat(second.ended).isNotDone();
        half.close();
        assertThat(second.ended.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(first.ended).isNotDone();
        answer.run();
        assertThat(first.ended.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(target.faults).isEmpty();
    }

    private static void respond(FakeConnection connection, FakeCommand command) {
        try {
            connection.respond(command.id(), 0, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsKeptOutlivesTheConnection() throws Exception {
        UUID name = UUID.randomUUID();
        FakeTarget target = target(file(memory(name, name), MEMORY));
        NvmeNamespace namespace = writeOn(target, true);
        KeptPart part = looked(namespace, guarded(2 * PIECE)).part.get(60, TimeUnit.SECONDS);
        closeAll();
        assertThat(part.data().get(0)).isEqualTo((byte) 9);
        part.close();
    }

    @Test
    void noOtherFileIsTakenForIt() throws Exception {
        UUID name = UUID.randomUUID();
        Path unmarked = memory(name, UUID.randomUUID());
        Path named = Files.write(directory.resolve("mine"), new byte[MEMORY]);
        Path wrongSize = memory(UUID.randomUUID(), name);
        Path absent = directory.resolve(UUID.randomUUID().toString());
        for (Answer each :
                new Answer[] {
                    file(unmarked, MEMORY),
                    file(named, MEMORY),
                    file(wrongSize, MEMORY / 2),
                    file(absent, MEMORY),
                    file(directory, MEMORY),
                    file(Path.of(""), MEMORY)
                }) {
            used.clear();
            writeOn(target(each), true);
            assertThat(used).containsOnly(false);
        }
        assertThat(lent).isEmpty();
        assertThat(Files.readAllBytes(named)).containsOnly(0);
        assertThat(Files.readAllBytes(unmarked)).endsWith(new byte[64]);
    }

    @Test
    void whoGetsNoneGoesOnThroughTheSocket() throws Exception {
        writeOn(target(file(Path.of(""), 0)), false);
        writeOn(
                target(
                        (connection, command) ->
                                connection.respond(
                                        command.id(), 0, StatusCode.INVALID_OPCODE.doNotRetry())),
                false);
        writeOn(
                target(
                        (connection, command) ->
                                connection.sendAll(
                                        command, new byte[SharedMemoryCommand.ANSWER_SIZE])),
                false);
        assertThat(used).isEmpty();
        assertThat(lent).isEmpty();
    }
}
