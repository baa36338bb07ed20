// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Takes away the files of processes that may still be writing some. */
public final class ScratchDirectory {
    /** What comes while others are removed makes a directory stay: once more then. */
    private static final int ATTEMPTS = 10;

    private ScratchDirectory() {}

    /** Removes a directory with everything in it; it may be gone already. */
    public static void remove(Path directory) throws IOException {
        for (int i = 1; Files.exists(directory); i++) {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException e) {
                if (i == ATTEMPTS) {
                    throw e;
                }
            } catch (UncheckedIOException e) {
                if (i == ATTEMPTS) {
                    throw e.getCause();
                }
            }
        }
    }

    /** The same with several; one that cannot be removed keeps none of the others. */
    public static void removeAll(List<Path> directories) throws IOException {
        IOException failure = null;
        for (Path directory : directories) {
            try {
                remove(directory);
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
