// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.error.InvalidArgumentException;
import java.util.ArrayList;
import java.util.List;

/** {@code crail bench data}: every operation in every combination of the wishes. */
public final class DataBenchmark implements Benchmark {
    private static final int LEAST_SIZE = 512;
    private static final int MOST_SIZE = 4 << 20;
    private static final int MOST_DEPTH = 64;
    private static final int LEAST_FILE = 4 << 20;
    private static final int MOST_FILE = 1 << 30;

    /** What is written, what it replaces, and what is being freed. */
    private static final int COPIES = 3;

    private static final long ROOM = 512L << 20;

    private final List<LoadRow> rows = new ArrayList<>();
    private final int fileBytes;

    /**
     * What the user wishes.
     *
     * @param operations names; all if empty
     * @param transports names: shm, tcp; all if empty
     * @param sizes of a read or write
     * @param depths operations under way
     * @param checksums names: on, off
     * @param fileSize of the file
     * @param settings names: free, one-core, two-core
     */
    public record Wishes(
            List<String> operations,
            List<String> transports,
            List<String> sizes,
            List<Integer> depths,
            List<String> checksums,
            String fileSize,
            List<String> settings) {}

    /** Ways to the storage servers. */
    private enum Transport {
        SHM,
        TCP;

        Servers.Way way() {
            return this == SHM ? Servers.Way.LOCAL : Servers.Way.TCP;
        }
    }

    /** Whether files keep checksums. */
    private enum Checksums {
        ON,
        OFF
    }

    /**
     * The rows of some wishes.
     *
     * @throws InvalidArgumentException if a wish is impossible
     */
    public DataBenchmark(Wishes wishes) throws InvalidArgumentException {
        fileBytes =
                Wish.sizes("--file-size", List.of(wishes.fileSize()), LEAST_FILE, MOST_FILE).get(0);
        List<DataOperation> operations =
                Wish.names("--operations", wishes.operations(), DataOperation.class);
        List<Integer> sizes = Wish.sizes("--sizes", wishes.sizes(), LEAST_SIZE, MOST_SIZE);
        List<Integer> depths = Wish.numbers("--depth", wishes.depths(), 1, MOST_DEPTH);
        List<Checksums> checksums = Wish.names("--checksums", wishes.checksums(), Checksums.class);
        for (Setting cores : Wish.names("--setting", wishes.settings(), Setting.class)) {
            for (Transport transport :
                    Wish.names("--transport", wishes.transports(), Transport.class)) {
                for (Checksums checked : checksums) {
                    for (DataOperation operation : operations) {
                        for (int size : sizes) {
                            for (int depth : depths) {
                                rows.add(
                                        new DataRow(
                                                new DataSpec(
                                                        operation,
                                                        transport.way(),
                                                        size,
                                                        depth,
                                                        checked == Checksums.ON,
                                                        fileBytes,
                                                        cores)));
                            }
                        }
                    }
                }
            }
        }
    }

    @Override
    public List<LoadRow> rows() {
        return List.copyOf(rows);
    }

    @Override
    public long capacity() {
        return (long) COPIES * fileBytes + ROOM;
    }

    /** As much as crail's file has. */
    @Override
    public int limitBytes() {
        return fileBytes;
    }
}
