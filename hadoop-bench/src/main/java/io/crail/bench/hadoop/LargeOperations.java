// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.error.InternalException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;

/** Operations on large files. */
final class LargeOperations {
    private static final int BUFFER = 1 << 20;
    private static final int PAGE = 4 << 10;
    private static final long SEED = 1;

    private LargeOperations() {}

    /**
     * Writes a file by buffers of 1 MiB and closes it. It replaces the one before, so that its
     * blocks are used again.
     *
     * @param unit bytes that count as one
     */
    static Operation write(ToLongFunction<Effort> size, double unit) {
        return (store, directory, effort) -> {
            long bytes = size.applyAsLong(effort);
            byte[] buffer = content();
            return new Whole(bytes / unit) {
                @Override
                public void run(int number) throws IOException {
                    store.write(directory + "/large", buffer, bytes);
                }
            };
        };
    }

    /**
     * Opens a file, reads it by buffers of 1 MiB, closes it.
     *
     * @param unit bytes that count as one
     */
    static Operation read(ToLongFunction<Effort> size, double unit) {
        return (store, directory, effort) -> {
            long bytes = size.applyAsLong(effort);
            byte[] buffer = content();
            String path = directory + "/large";
            store.write(path, buffer, bytes);
            return new Whole(bytes / unit) {
                @Override
                public void run(int number) throws IOException {
                    long read = store.read(path, buffer);
                    if (read != bytes) {
                        throw new InternalException("read %d of %d bytes".formatted(read, bytes));
                    }
                }
            };
        };
    }

    private abstract static class Whole implements Operation.Ready {
        private final double amount;

        Whole(double amount) {
            this.amount = amount;
        }

        @Override
        public final double amount() {
            return amount;
        }
    }

    /** Each page of a buffer begins with its number. */
    private static byte[] content() {
        byte[] buffer = new byte[BUFFER];
        for (int i = 0; i < BUFFER; i += PAGE) {
            buffer[i] = (byte) (i / PAGE);
        }
        return buffer;
    }

    /** Reads of 4 KiB at random aligned positions. */
    static Operation readPages() {
        return (store, directory, effort) ->
                new Pages(store, directory, effort) {
                    private final byte[] page = new byte[PAGE];

                    @Override
                    public void run(int number) throws IOException {
                        long position = place(PAGE);
                        file().read(position, page);
                        if (page[0] != (byte) (position % BUFFER / PAGE)) {
                            throw new InternalException("read other bytes at " + position);
                        }
                    }
                };
    }

    /** Vectored reads of many ranges of 4 KiB that nobody could merge. */
    static Operation readRanges() {
        return (store, directory, effort) ->
                new Pages(store, directory, effort) {
                    @Override
                    public void run(int number) throws IOException {
                        file().readVectored(places(effort.ranges()), PAGE);
                    }
                };
    }

    /** Reads at random places of a file that stays open. */
    private abstract static class Pages implements Operation.Ready {
        private final Store.Places file;
        private final long bytes;
        private final Random random = new Random(SEED);

        Pages(Store store, String directory, Effort effort) throws IOException {
            bytes = effort.fileBytes();
            String path = directory + "/large";
            store.write(path, content(), bytes);
            file = store.open(path);
        }

        Store.Places file() {
            return file;
        }

        /** A multiple of a step. */
        long place(int step) {
            return random.nextLong(bytes / step) * step;
        }

        /** So many different places, none of which touch each other, in no order. */
        List<Long> places(int count) {
            Set<Long> places = new LinkedHashSet<>();
            while (places.size() < count) {
                places.add(place(4 * PAGE));
            }
            return List.copyOf(places);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
