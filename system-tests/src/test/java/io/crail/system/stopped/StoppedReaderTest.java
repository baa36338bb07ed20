// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.SessionExpiredException;
import io.crail.system.stopped.ReaderMain.Way;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Invariants 1 and 2: a reader is stopped as it looks at bytes. Their file is removed or replaced,
 * all memory that is freed is filled by others, servers are killed and restarted; then it goes on.
 * A view shows what it has shown before; a read has the bytes of the file, or fails.
 */
@Tag("faults")
final class StoppedReaderTest {
    private static final String PATH = "/r";
    private static final int SUCCESSOR_ROLE = 5;

    private static final List<Way> LOCAL =
            List.of(Way.VIEW, Way.VIEWS, Way.VIEW, Way.READ, Way.VIEW, Way.STREAM);
    private static final List<Way> REMOTE = List.of(Way.READ, Way.STREAM, Way.READ, Way.VIEWS);

    /** What becomes of the reader's file. */
    private enum Fate {
        /** Removed or replaced; the session that has it open ends. */
        FORGOTTEN,
        /** As before, but the reader's view is all that holds its bytes when it is stopped. */
        GONE_BEFORE,
        /** Removed or replaced, but the session goes on. */
        KEPT_OPEN
    }

    @ParameterizedTest(name = "over shared memory: {0}")
    @ValueSource(booleans = {true, false})
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void aStoppedReaderNeverSeesOthersBytes(boolean sharedMemory, @TempDir Path directory)
            throws IOException {
        try (Rounds rounds = new Rounds(ReaderMain.class, sharedMemory, directory)) {
            rounds.play((round, random) -> new Case(rounds, sharedMemory, round, random).play());
        }
    }

    /** One round. */
    private static final class Case {
        private final Rounds rounds;
        private final boolean sharedMemory;
        private final int round;
        private final Random random;
        private final Way way;
        private final Fate fate;
        private final Disturbance disturbance;
        private final boolean dies;
        private final boolean replaced;
        private final int length;
        private final FullStore full;

        Case(Rounds rounds, boolean sharedMemory, int round, Random random) throws CrailException {
            this.rounds = rounds;
            this.sharedMemory = sharedMemory;
            this.round = round;
            this.random = random;
            List<Way> ways = sharedMemory ? LOCAL : REMOTE;
            way = ways.get(round % ways.size());
            fate = fate(round / ways.size());
            disturbance = Disturbance.of(round, ways.size(), Disturbance.When.any(random));
            dies = round % 7 == 5;
            replaced = random.nextBoolean();
            length = 1 + random.nextInt(5_000_000);
            full = new FullStore(rounds.clients(), round);
        }

        private Fate fate(int turn) {
            if (way == Way.VIEW) {
                return round % 4 == 0 ? Fate.GONE_BEFORE : Fate.FORGOTTEN;
            }
            return turn % 3 == 1 ? Fate.KEPT_OPEN : Fate.FORGOTTEN;
        }

        void play() throws IOException {
            long stamp = Stamped.stamp(round, ReaderMain.ROLE, 0);
            try (CrailOutputStream out = rounds.any(random).createFile(PATH)) {
                out.append(Stamped.bytes(stamp, length));
            }
            Sleeper sleeper = rounds.sleeper();
            int sessionMillis = Rounds.sessionMillis(fate == Fate.FORGOTTEN || dies);
            sleeper.begin(sessionMillis + " " + PATH + " " + round + " " + way);
            if (fate == Fate.GONE_BEFORE) {
                sleeper.awaitBusy();
                remove();
                awaitQuarantined();
            }
            boolean pinned = sharedMemory && (way == Way.VIEW || way == Way.VIEWS);
            sleeper.stopInTheMiddle(random, stopped -> !pinned || stopped.isPinnedForReading());
            disturbance.around(rounds.cluster(), this::takeAway);
            replace();
            fill();
            if (dies) {
                sleeper.killAsleep();
            } else {
                judge(sleeper.wake(this::traffic));
            }
            full.fill();
            full.checkAll();
            full.remove();
            if (replaced) {
                checkSuccessor();
                rounds.any(random).delete(PATH, false);
            }
        }

        private void remove() throws CrailException {
            rounds.any(random).delete(PATH, false);
        }

        private void takeAway() {
            try {
                if (fate != Fate.GONE_BEFORE) {
                    remove();
                }
            } catch (CrailException e) {
                throw new AssertionError(e);
            }
            if (fate == Fate.FORGOTTEN) {
                rounds.awaitNobodyElse();
            }
        }

        private void replace() throws IOException {
            if (replaced) {
                try (CrailOutputStream out =
                        rounds.any(random).createFile(PATH, CreateOptions.OVERWRITE)) {
                    out.append(Stamped.bytes(successorStamp(), length));
                }
            }
        }

        private long successorStamp() {
            return Stamped.stamp(round, SUCCESSOR_ROLE, 0);
        }

        private void awaitQuarantined() {
            rounds.cluster()
                    .await(
                            "the blocks of the view are quarantined",
                            asked -> Rounds.bytes(asked).quarantined() >= length);
        }

        /** Over TCP a server that lives may wait for seconds for answers to be taken. */
        private void fill() throws IOException {
            if (sharedMemory || disturbance.storage()) {
                rounds.awaitRevoked();
                full.fillCompletely();
            } else {
                full.fill();
            }
            if (sharedMemory && way == Way.VIEW) {
                awaitQuarantined();
            }
        }

        private void traffic() throws IOException {
            full.fill();
            full.checkAny(random);
        }

        private void judge(String said) {
            if (way == Way.VIEW || fate == Fate.KEPT_OPEN) {
                assertThat(said).isEqualTo("right");
            } else {
                assertThat(said)
                        .isIn(
                                "right",
                                "failed " + NoSuchNodeException.class.getSimpleName(),
                                "failed " + SessionExpiredException.class.getSimpleName());
            }
        }

        private void checkSuccessor() throws IOException {
            for (CrailClient client : rounds.clients()) {
                try (CrailFile file = client.open(PATH)) {
                    ByteBuffer bytes = ByteBuffer.allocate(length);
                    file.readFully(0, bytes);
                    Stamped.check("successor", bytes.flip(), successorStamp(), 0);
                }
            }
        }
    }
}
