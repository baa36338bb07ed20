// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import io.crail.error.LeaseLostException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.SessionExpiredException;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Invariant 2: a writer is stopped in the middle of writing, over shared memory in the middle of a
 * copy. Its file is taken from it, all memory that is freed is filled by others, servers are killed
 * and restarted; then it goes on with what it has. Its commit fails, and nobody sees one of its
 * late bytes.
 */
@Tag("faults")
final class StoppedWriterTest {
    private static final String PATH = "/w";
    private static final int HEIR_ROLE = 4;
    private static final int HEIR_BYTES = 300_000;

    /** What becomes of the writer's file. */
    private enum Fate {
        TAKEN_OVER,
        REPLACED,
        REMOVED,
        SESSION_ENDED,
        /** Nothing: the writer must be able to go on. */
        LEFT_ALONE
    }

    private static final List<Fate> FATES = List.of(Fate.values());

    @ParameterizedTest(name = "over shared memory: {0}")
    @ValueSource(booleans = {true, false})
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void whatAStoppedWriterStillWritesHarmsNobody(boolean sharedMemory, @TempDir Path directory)
            throws IOException {
        try (Rounds rounds = new Rounds(WriterMain.class, sharedMemory, directory)) {
            rounds.play((round, random) -> new Case(rounds, sharedMemory, round, random).play());
        }
    }

    /** One round. */
    private static final class Case {
        private final Rounds rounds;
        private final boolean sharedMemory;
        private final int round;
        private final Random random;
        private final Fate fate;
        private final Disturbance disturbance;
        private final boolean dies;
        private final FullStore full;
        private @Nullable CrailOutputStream heir;

        /** Length that the writer's bytes have in the file from now on. */
        private long base;

        Case(Rounds rounds, boolean sharedMemory, int round, Random random) throws CrailException {
            this.rounds = rounds;
            this.sharedMemory = sharedMemory;
            this.round = round;
            this.random = random;
            fate = FATES.get(round % FATES.size());
            disturbance = Disturbance.of(round, FATES.size(), when());
            dies = round % 7 == 6 && fate != Fate.LEFT_ALONE;
            full = new FullStore(rounds.clients(), round);
        }

        private Disturbance.When when() {
            boolean needsBlocks = fate == Fate.TAKEN_OVER || fate == Fate.REPLACED;
            Disturbance.When when = Disturbance.When.any(random);
            return needsBlocks && when == Disturbance.When.MEANWHILE
                    ? Disturbance.When.AFTER
                    : when;
        }

        void play() throws IOException {
            int sessionMillis = Rounds.sessionMillis(fate == Fate.SESSION_ENDED || dies);
            Sleeper sleeper = rounds.sleeper();
            sleeper.begin(sessionMillis + " " + PATH + " " + round);
            sleeper.stopInTheMiddle(
                    random, stopped -> !sharedMemory || stopped.isPinnedForWriting());
            disturbance.around(rounds.cluster(), this::takeAway);
            inherit();
            if (fate == Fate.LEFT_ALONE) {
                goesOn(sleeper.wake(() -> full.checkAny(random)));
            } else {
                fill();
                checkFile();
                if (dies) {
                    sleeper.killAsleep();
                } else {
                    isTooLate(sleeper.wake(this::traffic));
                }
                full.fill();
                full.checkAll();
                checkFile();
            }
            full.remove();
            if (fate != Fate.REMOVED) {
                rounds.any(random).delete(PATH, false);
            }
        }

        private void takeAway() {
            try {
                CrailClient client = rounds.any(random);
                switch (fate) {
                    case TAKEN_OVER -> takeOver(client);
                    case REPLACED -> heir = client.createFile(PATH, CreateOptions.OVERWRITE);
                    case REMOVED -> client.delete(PATH, false);
                    case SESSION_ENDED -> rounds.awaitNobodyElse();
                    case LEFT_ALONE -> {}
                }
            } catch (CrailException e) {
                throw new AssertionError(e);
            }
        }

        private void takeOver(CrailClient client) {
            rounds.cluster()
                    .await(
                            "the lease can be taken over",
                            asked -> {
                                heir = client.append(PATH);
                                return true;
                            });
        }

        private void inherit() throws IOException {
            CrailOutputStream out = heir;
            if (out != null) {
                base = out.position();
                ByteBuffer bytes = ByteBuffer.allocate(HEIR_BYTES);
                Stamped.fill(bytes, heirStamp(), base);
                out.append(bytes.flip());
                out.close();
            } else if (fate == Fate.SESSION_ENDED) {
                NodeStatus status = rounds.any(random).status(PATH);
                assertThat(status.has(NodeStatus.OPEN_FOR_WRITING)).isFalse();
                base = status.length();
            }
            if (fate == Fate.REPLACED) {
                assertThat(base).isZero();
            } else if (fate == Fate.TAKEN_OVER || fate == Fate.SESSION_ENDED) {
                assertThat(base).isGreaterThanOrEqualTo(rounds.sleeper().board().synced());
            }
        }

        private long heirStamp() {
            return Stamped.stamp(round, HEIR_ROLE, 0);
        }

        /** Over TCP a server that lives may wait for seconds for the rest of a frame. */
        private void fill() throws IOException {
            if (sharedMemory || disturbance.storage()) {
                rounds.awaitRevoked();
                full.fillCompletely();
            } else {
                full.fill();
            }
            if (sharedMemory && (fate == Fate.REPLACED || fate == Fate.REMOVED)) {
                assertThat(Rounds.bytes(rounds.any(random)).quarantined()).isPositive();
            }
        }

        private void traffic() throws IOException {
            full.fill();
            full.checkAny(random);
        }

        private void checkFile() throws IOException {
            for (CrailClient client : rounds.clients()) {
                if (fate == Fate.REMOVED) {
                    assertThat(client.lookup(PATH)).isEmpty();
                } else {
                    long end = fate == Fate.SESSION_ENDED ? base : base + HEIR_BYTES;
                    checkFile(client, base, end);
                }
            }
        }

        private void checkFile(CrailClient client, long ofWriter, long end) throws IOException {
            try (CrailFile file = client.open(PATH)) {
                assertThat(file.length()).isEqualTo(end);
                ByteBuffer bytes = ByteBuffer.allocate((int) end);
                file.readFully(0, bytes);
                bytes.flip().limit((int) ofWriter);
                Stamped.check("file", bytes, rounds.sleeper().board().stamp(), 0);
                bytes.limit((int) end);
                Stamped.check("file", bytes, heirStamp(), ofWriter);
            }
        }

        private static void isTooLate(String said) {
            String[] words = said.split(" ", -1);
            assertThat(words).as(said).hasSize(3).startsWith("failed");
            assertThat(words[1])
                    .as(said)
                    .isIn(
                            LeaseLostException.class.getSimpleName(),
                            NoSuchNodeException.class.getSimpleName(),
                            // It asked for a block first, of the full store.
                            OutOfSpaceException.class.getSimpleName(),
                            SessionExpiredException.class.getSimpleName());
            assertThat(words[2]).as(said).endsWith("Exception");
        }

        private void goesOn(String said) throws IOException {
            assertThat(said).startsWith("closed ");
            long length = Long.parseLong(said.substring("closed ".length()));
            assertThat(length).isGreaterThanOrEqualTo(rounds.sleeper().board().synced());
            for (CrailClient client : rounds.clients()) {
                checkFile(client, length, length);
            }
        }
    }
}
