// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.error.CancelledException;
import io.crail.error.InternalException;
import io.crail.error.TimeoutException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * What the machine can do with bytes in memory, with nothing but the Java library: the limit for
 * whatever goes through shared memory. All pages have been touched before. Not thread-safe.
 */
final class MemoryWork {
    static final String COPY = "copy + CRC32C";
    static final String CHECKSUM = "CRC32C";

    private static final int CHUNK = 1 << 20;
    private static final int REGION = 32 * CHUNK;
    private static final int WARM_UPS = 4;
    private static final long BOUND_SECONDS = 60;

    private final List<Regions> regions = new ArrayList<>();

    /** Where one thread copies from and to. */
    private record Regions(ByteBuffer source, ByteBuffer target) {
        static Regions touched() {
            Regions regions =
                    new Regions(
                            ByteBuffer.allocateDirect(REGION), ByteBuffer.allocateDirect(REGION));
            for (int i = 0; i < WARM_UPS; i++) {
                regions.copy(REGION);
                regions.checksum(REGION);
            }
            return regions;
        }

        /** As crail does it: the checksum of a chunk is taken while the chunk is in the cache. */
        long copy(long bytes) {
            CRC32C crc = new CRC32C();
            for (long done = 0; done < bytes; done += CHUNK) {
                int at = (int) (done % REGION);
                target.put(at, source, at, CHUNK);
                crc.update(target.slice(at, CHUNK));
            }
            return crc.getValue();
        }

        long checksum(long bytes) {
            CRC32C crc = new CRC32C();
            for (long done = 0; done < bytes; done += CHUNK) {
                crc.update(source.slice((int) (done % REGION), CHUNK));
            }
            return crc.getValue();
        }
    }

    /** What each thread does. */
    @FunctionalInterface
    private interface Work {
        long of(Regions regions);
    }

    /**
     * Memory for some threads.
     *
     * @param threads how many do the work at the same time
     */
    MemoryWork(int threads) {
        for (int i = 0; i < threads; i++) {
            regions.add(Regions.touched());
        }
    }

    /** Bytes per second of all threads together, each copying {@code bytes} and their CRC32C. */
    double copy(long bytes) throws IOException {
        return run(bytes, each -> each.copy(bytes));
    }

    /** Bytes per second of all threads together, each taking the CRC32C of {@code bytes}. */
    double checksum(long bytes) throws IOException {
        return run(bytes, each -> each.checksum(bytes));
    }

    private double run(long bytes, Work work) throws IOException {
        if (regions.size() == 1) {
            long start = System.nanoTime();
            work.of(regions.get(0));
            return Measurement.perSecond(bytes, System.nanoTime() - start);
        }
        ExecutorService threads = Executors.newFixedThreadPool(regions.size());
        try {
            long start = System.nanoTime();
            List<Future<Long>> all = new ArrayList<>();
            for (Regions each : regions) {
                all.add(threads.submit(() -> work.of(each)));
            }
            for (Future<Long> one : all) {
                one.get(BOUND_SECONDS, TimeUnit.SECONDS);
            }
            return Measurement.perSecond(regions.size() * bytes, System.nanoTime() - start);
        } catch (ExecutionException e) {
            throw new InternalException("the machine's limits cannot be measured: " + e, e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("measuring the machine's memory does not end", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }
}
