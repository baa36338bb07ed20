// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.measure.Histogram;
import io.crail.bench.stage.Ring;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Appends to one file, or to one of several at random. A full file is replaced by an empty one. A
 * batch ends when readers can see all. One thread uses it.
 */
final class Writing implements AutoCloseable {
    /** Files among which random writes choose. */
    static final int FILES = 16;

    private final CrailClient client;
    private final String path;
    private final DataSpec spec;
    private final ByteBuffer[] buffers;
    private final SplittableRandom random = new SplittableRandom(2);
    private final List<CrailOutputStream> files = new ArrayList<>();
    private final long longest;

    /** Creates the files; the client stays the caller's. */
    Writing(CrailClient client, String path, DataSpec spec) throws IOException {
        this.client = client;
        this.path = path;
        this.spec = spec;
        this.buffers = Buffers.full(spec.depth(), spec.size());
        int count = spec.operation().isRandom() ? FILES : 1;
        this.longest = Math.max(spec.size(), spec.fileBytes() / count);
        boolean complete = false;
        try {
            for (int i = 0; i < count; i++) {
                files.add(create(i));
            }
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    private CrailOutputStream create(int number) throws IOException {
        CreateOptions options =
                CreateOptions.builder()
                        .overwrite(true)
                        .checksums(spec.checksums())
                        .expectedBytes(longest)
                        .build();
        return client.createFile(path + "-" + number, options);
    }

    /** Writes all files once, so that the next ones have blocks that were used before. */
    void warm() throws IOException {
        for (int i = 0; i < files.size(); i++) {
            for (long done = 0; done + spec.size() <= longest; done += spec.size()) {
                files.get(i).append(buffers[0].clear());
            }
            files.get(i).close();
            files.set(i, create(i));
        }
    }

    Work work() {
        return this::run;
    }

    private long run(long nanos, Histogram times) throws IOException {
        Ring ring = new Ring(buffers.length, times);
        long before = times.count();
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            int number = files.size() == 1 ? 0 : random.nextInt(files.size());
            if (files.get(number).position() + spec.size() > longest) {
                ring.drain();
                files.get(number).close();
                files.set(number, create(number));
            }
            append(ring, files.get(number), times);
        }
        ring.drain();
        for (CrailOutputStream file : files) {
            file.sync();
        }
        return times.count() - before;
    }

    private void append(Ring ring, CrailOutputStream file, Histogram times) throws IOException {
        if (buffers.length > 1) {
            ring.add(slot -> file.appendAsync(buffers[slot].clear()));
            return;
        }
        long start = System.nanoTime();
        file.append(buffers[0].clear());
        times.add(System.nanoTime() - start);
    }

    @Override
    public void close() throws IOException {
        for (CrailOutputStream file : files) {
            file.close();
        }
    }
}
