// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Takes away the files of a server that may still be writing some. */
final class StateRemoval {
    /** What comes while others are removed makes a directory stay: once more then. */
    private static final int ATTEMPTS = 10;

    private StateRemoval() {}

    /** Removes a directory with everything in it, as far as possible. */
    static synchronized void of(Path directory) {
        for (int i = 0; i < ATTEMPTS && Files.exists(directory); i++) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException | UncheckedIOException e) {
                if (i == ATTEMPTS - 1) {
                    System.err.println("cannot remove " + directory + ": " + e);
                }
            }
        }
    }
}
