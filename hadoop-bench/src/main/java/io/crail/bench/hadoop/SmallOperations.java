// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.bench.stage.Crew;
import io.crail.error.InternalException;
import java.io.IOException;

/** Operations on names and on files so small that names are most of the work. */
final class SmallOperations {
    static final int SMALL = 1 << 10;

    /** As many create the entries of a directory. */
    private static final int THREADS = 8;

    private static final int FILES = 64;

    private SmallOperations() {}

    /** Attributes of a file of depth 3. */
    static Operation stat() {
        return (store, directory, effort) -> {
            store.mkdirs(directory + "/of");
            String path = directory + "/of/one";
            store.create(path);
            return number -> store.stat(path);
        };
    }

    /** All entries of a directory, with attributes. */
    static Operation list() {
        return (store, directory, effort) -> {
            int entries = effort.entries();
            fill(store, directory, entries);
            return counted(
                    entries,
                    number -> {
                        int found = store.list(directory);
                        if (found != entries) {
                            throw new InternalException(
                                    "listed %d of %d entries".formatted(found, entries));
                        }
                    });
        };
    }

    private static void fill(Store store, String directory, int entries) throws IOException {
        try (Crew crew = new Crew(THREADS)) {
            // In parts, since the time of each is bounded.
            int part = Math.min(entries, 10_000);
            for (int first = 0; first < entries; first += part) {
                int from = first;
                int to = Math.min(entries, first + part);
                crew.run(
                        thread -> {
                            for (int i = from + thread; i < to; i += THREADS) {
                                store.create("%s/entry-%06d".formatted(directory, i));
                            }
                            return 1;
                        });
            }
        }
    }

    /** Creates an empty file and closes it. */
    static Operation create() {
        return (store, directory, effort) -> number -> store.create(directory + "/" + number);
    }

    /** Creates a file, writes 1 KiB, closes it. */
    static Operation write() {
        byte[] bytes = new byte[SMALL];
        return (store, directory, effort) ->
                number -> store.write(directory + "/" + number, bytes, SMALL);
    }

    /** Opens a file, reads its 1 KiB, closes it. */
    static Operation read() {
        return (store, directory, effort) -> {
            byte[] bytes = new byte[SMALL];
            for (int i = 0; i < FILES; i++) {
                store.write(directory + "/" + i, bytes, SMALL);
            }
            return number -> {
                long read = store.read(directory + "/" + number % FILES, bytes);
                if (read != SMALL) {
                    throw new InternalException("read %d of %d bytes".formatted(read, SMALL));
                }
            };
        };
    }

    /** What is done. */
    @FunctionalInterface
    private interface Work {
        void run(int number) throws IOException;
    }

    private static Operation.Ready counted(double amount, Work work) {
        return new Operation.Ready() {
            @Override
            public void run(int number) throws IOException {
                work.run(number);
            }

            @Override
            public double amount() {
                return amount;
            }
        };
    }
}
