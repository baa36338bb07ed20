// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/** One large file: written and read back, as a stream. */
final class FileStep implements Step {
    static final String PATH = "/generated";

    private final GeneratedFile file;
    private final long checksum;

    FileStep(GeneratedFile file) {
        this.file = file;
        this.checksum = file.checksum();
    }

    @Override
    public String subject() {
        return "a large file";
    }

    @Override
    public void run(Stage stage) throws IOException {
        try (Progress progress = stage.progress("file", 2 * file.length())) {
            stage.add(write(stage, progress::add));
            stage.add(read(stage, progress::add));
        }
    }

    @Override
    public void verify(Stage stage) throws IOException {
        try (Reading reading = new Reading(stage.client(), bytes -> {})) {
            reading.read(file.length());
            reading.compare();
        }
    }

    private Measurement write(Stage stage, LongConsumer progress) throws IOException {
        CreateOptions options = CreateOptions.builder().expectedBytes(file.length()).build();
        Comparison comparison = stage.limit().comparison();
        long total = 0;
        try (CrailOutputStream out = stage.client().createFile(PATH, options)) {
            for (long from = 0; from < file.length(); from += part()) {
                long begin = from;
                long end = Math.min(file.length(), begin + part());
                double limit = stage.limit().measure(end - begin);
                long nanos = Stage.time(() -> append(out, begin, end, progress));
                comparison.add(Measurement.perSecond(end - begin, nanos), limit);
                total += nanos;
            }
        }
        return row("write a generated file", total, comparison);
    }

    /** Ends when everybody can read it. */
    private void append(CrailOutputStream out, long begin, long end, LongConsumer progress)
            throws IOException {
        for (long position = begin; position < end; position += GeneratedFile.BLOCK) {
            ByteBuffer block = file.block(position);
            progress.accept(block.remaining());
            out.append(block);
        }
        out.sync();
    }

    private Measurement read(Stage stage, LongConsumer progress) throws IOException {
        Comparison comparison = stage.limit().comparison();
        long total = 0;
        try (Reading reading = new Reading(stage.client(), progress)) {
            for (long left = file.length(); left > 0; left -= part()) {
                long bytes = Math.min(left, part());
                double limit = stage.limit().measure(bytes);
                long nanos = Stage.time(() -> reading.read(bytes));
                comparison.add(Measurement.perSecond(bytes, nanos), limit);
                total += nanos;
            }
            reading.compare();
        }
        return row("read it back, comparing", total, comparison);
    }

    /** Bytes of a batch: whole blocks. */
    private long part() {
        long blocks = (file.length() + GeneratedFile.BLOCK - 1) / GeneratedFile.BLOCK;
        long each = (blocks + Comparison.BATCHES - 1) / Comparison.BATCHES;
        return Math.max(1, each) * GeneratedFile.BLOCK;
    }

    private Measurement row(String operation, long nanos, Comparison comparison) {
        return new Measurement(
                operation,
                Measurement.size(file.length()),
                nanos,
                Measurement.Kind.THROUGHPUT,
                comparison);
    }

    /** A stream over the file whose checksum is taken on the way. */
    private final class Reading implements AutoCloseable {
        private final CRC32C crc = new CRC32C();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(GeneratedFile.BLOCK);
        private final LongConsumer progress;
        private final CrailFile in;
        private final CrailInputStream stream;

        Reading(CrailClient client, LongConsumer progress) throws IOException {
            this.progress = progress;
            this.in = client.open(PATH);
            this.stream = in.newInputStream();
        }

        void read(long bytes) throws IOException {
            for (long left = bytes; left > 0; left -= buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), left));
                if (stream.read(buffer) < 0) {
                    throw new CorruptDataException(PATH + " ends " + left + " bytes early");
                }
                crc.update(buffer.flip());
                progress.accept(buffer.limit());
            }
        }

        void compare() throws IOException {
            if (in.length() != file.length() || crc.getValue() != checksum) {
                throw new CorruptDataException(
                        PATH
                                + " differs from what was written: "
                                + in.length()
                                + " bytes, CRC32C "
                                + Long.toHexString(crc.getValue())
                                + " instead of "
                                + Long.toHexString(checksum));
            }
        }

        @Override
        public void close() throws IOException {
            try {
                stream.close();
            } finally {
                in.close();
            }
        }
    }
}
