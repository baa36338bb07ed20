// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import io.crail.client.CrailFile;
import io.crail.client.CrailView;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A large file looked at in place: where the storage servers are on this host, no byte is copied.
 * Once with a checksum of our own, compared with taking one of the machine's memory; once verified
 * by crail and added up, compared with the copy that an ordinary read cannot do without.
 */
final class ViewStep implements Step {
    /** Bytes of one view: far fewer blocks than a client may hold. */
    private static final long WINDOW = 16L << 20;

    private final GeneratedFile file;
    private final String path;

    ViewStep(GeneratedFile file, String path) {
        this.file = file;
        this.path = path;
    }

    /** Takes in all bytes in order, and says what they amount to. */
    private interface Digest {
        void add(ByteBuffer bytes);

        long value();
    }

    /** The machine's own work on as many bytes. */
    private record Limit(String name, ByteLimit.Work work) {}

    @Override
    public String subject() {
        return "a large file in place";
    }

    @Override
    public void run(Stage stage) throws IOException {
        MemoryWork memory = stage.memory();
        look(stage, false, crc(), crc(), new Limit(MemoryWork.CHECKSUM, memory::checksum));
        look(stage, true, sum(), sum(), new Limit(MemoryWork.COPY, memory::copy));
    }

    private void look(Stage stage, boolean verify, Digest expected, Digest seen, Limit limit)
            throws IOException {
        Comparison comparison = new Comparison(limit.name);
        long total = 0;
        boolean zeroCopy = true;
        try (CrailFile in = stage.client().open(path)) {
            for (List<Long> batch : batches()) {
                long bytes = batch.stream().mapToLong(this::length).sum();
                double machine = limit.work.measure(bytes);
                long start = System.nanoTime();
                for (long position : batch) {
                    try (CrailView view = in.view(position, length(position), verify)) {
                        view.buffers().forEach(seen::add);
                        zeroCopy &= view.isZeroCopy();
                    }
                }
                long nanos = System.nanoTime() - start;
                comparison.add(Measurement.perSecond(bytes, nanos), machine);
                total += nanos;
            }
        }
        for (long position = 0; position < file.length(); position += GeneratedFile.BLOCK) {
            expected.add(file.block(position));
        }
        if (seen.value() != expected.value()) {
            throw new CorruptDataException(path + " differs in place from what was written");
        }
        String how = zeroCopy ? "zero-copy view, " : "view (copied), ";
        stage.add(
                new Measurement(
                        how + (verify ? "verified and added up" : "CRC32C"),
                        Measurement.size(file.length()),
                        total,
                        Measurement.Kind.THROUGHPUT,
                        comparison));
    }

    /** Where the views of each batch begin. */
    private List<List<Long>> batches() {
        List<Long> positions = new ArrayList<>();
        for (long position = 0; position < file.length(); position += WINDOW) {
            positions.add(position);
        }
        int each = (positions.size() + Comparison.BATCHES - 1) / Comparison.BATCHES;
        List<List<Long>> batches = new ArrayList<>();
        for (int from = 0; from < positions.size(); from += each) {
            batches.add(positions.subList(from, Math.min(from + each, positions.size())));
        }
        return batches;
    }

    private long length(long position) {
        return Math.min(WINDOW, file.length() - position);
    }

    private static Digest crc() {
        CRC32C crc = new CRC32C();
        return new Digest() {
            @Override
            public void add(ByteBuffer bytes) {
                crc.update(bytes);
            }

            @Override
            public long value() {
                return crc.getValue();
            }
        };
    }

    /** The sum of all words of 8 bytes, whatever blocks the bytes come in; the rest by bytes. */
    private static Digest sum() {
        return new Digest() {
            private long sum;

            @Override
            public void add(ByteBuffer bytes) {
                ByteBuffer words = bytes.order(ByteOrder.LITTLE_ENDIAN);
                int end = words.limit() & -Long.BYTES;
                long here = 0;
                for (int i = 0; i < end; i += Long.BYTES) {
                    here += words.getLong(i);
                }
                for (int i = end; i < words.limit(); i++) {
                    here += words.get(i);
                }
                sum += here;
            }

            @Override
            public long value() {
                return sum;
            }
        };
    }
}
