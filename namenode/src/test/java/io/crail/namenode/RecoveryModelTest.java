// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random lives of a cluster: every answer is what a model says, and what the metadata directory
 * holds at any time gives back the whole state. {@code -Dcrail.test.operations} makes them longer,
 * {@code -Dcrail.test.seed} other ones.
 */
final class RecoveryModelTest {
    private static final int OPERATIONS = Integer.getInteger("crail.test.operations", 30_000);
    private static final long SEED = Long.getLong("crail.test.seed", 20250101);
    private static final int PER_LIFE = 3_000;
    private static final int CHECK_EVERY = 100;

    @TempDir private Path temporary;

    @Test
    void whatTheDirectoryHoldsIsTheStateAtAnyTime() throws IOException {
        for (int done = 0; done < OPERATIONS; done += PER_LIFE) {
            long seed = SEED + done;
            Path directory = Files.createTempDirectory(temporary, "life");
            try (LocalNamenode namenode = LocalNamenode.start(directory)) {
                RandomLife life = new RandomLife(namenode, seed);
                live(namenode, life, directory, seed);
            }
        }
    }

    private void live(LocalNamenode namenode, RandomLife life, Path directory, long seed)
            throws IOException {
        int operation = 0;
        try {
            for (operation = 1; operation <= PER_LIFE; operation++) {
                life.step();
                if (operation % CHECK_EVERY == 0) {
                    life.compareWithModel();
                    namenode.engine().state().blocks().checkConservation();
                    checkCopy(namenode, life, directory);
                }
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed + ", operation " + operation, e);
        }
    }

    /** Kills the namenode, as far as the files can tell, and looks at its successor. */
    private void checkCopy(LocalNamenode namenode, RandomLife life, Path directory)
            throws IOException {
        life.tellAcknowledged();
        TestNamenode.Memory memory = namenode.memory();
        Path copy = Files.createTempDirectory(temporary, "copy");
        TestNamenode.copy(directory, copy);
        try (LocalNamenode successor = LocalNamenode.start(copy)) {
            successor.assertRemembers(memory);
            successor.engine().state().blocks().checkConservation();
            life.repeatEverything(successor::connect);
            successor.assertRemembers(memory);
        }
        delete(copy);
    }

    @Test
    void aSnapshotAndTheLogBehindItGiveTheSameStateAsTheLogAlone() throws IOException {
        for (int run = 0; run < 10; run++) {
            Path directory = Files.createTempDirectory(temporary, "run");
            try (LocalNamenode namenode = LocalNamenode.start(directory)) {
                RandomLife life = new RandomLife(namenode, SEED + run);
                life.setSnapshots(false);
                for (int i = 0; i < 600; i++) {
                    if (i == 100) {
                        namenode.engine().requestSnapshot();
                    }
                    life.step();
                }
                while (namenode.engine().isSnapshotPending()) {
                    namenode.tick();
                }
                TestNamenode.Memory memory = namenode.memory();
                Path withSnapshot = Files.createTempDirectory(temporary, "with");
                Path logOnly = Files.createTempDirectory(temporary, "without");
                TestNamenode.copy(directory, withSnapshot);
                TestNamenode.copy(directory, logOnly);
                removeSnapshots(logOnly);
                for (Path copy : List.of(withSnapshot, logOnly)) {
                    try (LocalNamenode successor = LocalNamenode.start(copy)) {
                        successor.assertRemembers(memory);
                    }
                }
            }
        }
    }

    private static void removeSnapshots(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().startsWith("snapshot")) {
                    Files.delete(file);
                }
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
